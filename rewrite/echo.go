package rewrite

const maxEchoes = 100

// echo deletes corresponding parts of all definitions and declarations of a name, since they have to agree.
//
//	interface { m() int }        interface { m() }
//	func (t T) m() int           func (t T) m()
func echo(f *File) (changes []Change) {
	type key struct{ name, field, kind, text string }
	var keys []key
	places := map[key][]int32{}

	for p := range int32(len(f.Nodes)) {
		name := int32(-1)
		if !f.IsLeaf(p) {
			name = f.nameOf(p)
		}
		if name < 0 || !f.isWord(name) {
			continue
		}
		kinds := map[string]int{}
		for _, d := range f.children(p) {
			kinds[f.Field(d)+f.Kind(d)]++
		}
		for _, d := range f.children(p) {
			if f.within(name, d) || f.Nodes[d].First == f.Nodes[d].Last {
				continue
			}
			k := key{name: f.Text(name), field: f.Field(d), kind: f.Kind(d), text: f.source(d)}
			if kinds[k.field+k.kind] == 1 { // unambiguous without the text
				k.text = ""
			}
			if places[k] == nil {
				keys = append(keys, k)
			}
			places[k] = append(places[k], d)
		}
	}
	for _, k := range keys {
		if nodes := places[k]; len(nodes) > 1 && len(changes) < maxEchoes {
			changes = append(changes, Change{Drop: nodes})
		}
	}
	return changes
}
