package deps

import (
	"slices"

	"whittle/parse"
)

// A Name is a word: its offset in bytes, and whether it is a definition.
type Name struct {
	Word    string
	At      int
	Defines bool
}

// Names returns the possible names in order, without comments; none without fields for names.
func Names(t *parse.Tree) (names []Name) {
	r := read(parse.Whole(t))
	if r == nil {
		return nil
	}
	defined := map[[2]int32]bool{} // by unit and name
	for i := range r.units {
		for _, name := range r.units[i].names {
			defined[[2]int32{int32(i), name}] = true
		}
	}
	r.leaves(func(n int32, around []int32) {
		if !t.Nodes[n].Named {
			return
		}
		token := t.Tokens[t.Nodes[n].First]
		for _, word := range parse.Words(t.Source[token.Start:token.End]) {
			name := Name{Word: word, At: int(token.Start)}
			if id, known := r.ids[word]; known {
				if i := slices.IndexFunc(around, func(u int32) bool { return defined[[2]int32{u, id}] }); i >= 0 {
					name.Defines = true
					delete(defined, [2]int32{around[i], id}) // the first is the definition
				}
			}
			names = append(names, name)
		}
	})
	return names
}
