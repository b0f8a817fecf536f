package rewrite

import "whittle/parse"

// labels takes a label away, and what goes to it goes to another, the next one first.
//
//	a: b: f(); goto b;        a: f(); goto a;
func labels(f *File) (changes []Change) {
	defs := f.labels()
	for i, def := range defs {
		for k := range len(defs) - 1 {
			other := f.Text(defs[(i+k+1)%len(defs)])
			if k == mostLabels || other == f.Text(def) {
				continue
			}
			ch := Change{Drop: []int32{def, f.Nodes[def].Next}}
			for _, name := range f.Names() {
				for _, use := range name.Uses {
					if name.Text == f.Text(def) && use != def {
						ch.Edits = append(ch.Edits, f.Replace([]int32{use}, parse.Literal("", other)))
					}
				}
			}
			changes = append(changes, ch)
		}
	}
	return changes
}

// mostLabels is how many other labels are tried in the place of one.
const mostLabels = 3

// labels returns the labels in front of statements, each with a colon behind it.
func (f *File) labels() (leaves []int32) {
	for n := range int32(len(f.Nodes)) {
		next := f.Nodes[n].Next
		if f.Field(n) == "label" && f.isWord(n) && next < f.Nodes[f.Nodes[n].Parent].Next &&
			f.IsFixed(next) && f.Text(next) == ":" {
			leaves = append(leaves, n)
		}
	}
	return leaves
}
