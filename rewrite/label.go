package rewrite

import "whittle/parse"

// labels deletes a label and redirects jumps to another label, the next one first.
//
//	a: b: f(); goto b;        a: f(); goto a;
func labels(f *File) (changes []Change) {
	defs := f.labels()
	for i, def := range defs {
		for k := range len(defs) - 1 {
			other := f.Text(defs[(i+k+1)%len(defs)])
			if k == maxLabels || other == f.Text(def) {
				continue
			}
			edits := f.replaceEach(f.usesIn(0, def), parse.Literal("", other))
			changes = append(changes, Change{edits, []int32{def, f.Nodes[def].Next}})
		}
	}
	return changes
}

const maxLabels = 3

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
