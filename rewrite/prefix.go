package rewrite

import (
	"strings"

	"whittle/parse"
)

// prefixes removes a prefix of names together with its declaration.
//
//	<p:a xmlns:p="u"><p:b/></p:a>  =>  <a><b/></a>
func prefixes(f *File) (changes []Change) {
	var all []string
	uses := map[string][]int32{} // by prefix
	own := map[string][]int32{}  // by the part after the prefix
	for n := range int32(len(f.Nodes)) {
		prefix, name, ok := strings.Cut(f.Text(n), ":")
		if !ok || !f.IsLeaf(n) || !isName(prefix) || !isName(name) {
			continue
		}
		if uses[prefix] == nil {
			all = append(all, prefix)
		}
		uses[prefix], own[name] = append(uses[prefix], n), append(own[name], n)
	}
	for _, prefix := range all {
		if own[prefix] == nil {
			continue
		}
		var change Change
		for _, n := range own[prefix] {
			if d := f.droppable(n); d >= 0 {
				change.Drop = append(change.Drop, d)
			}
		}
		for _, n := range uses[prefix] {
			change.Edits = append(change.Edits, f.Replace([]int32{n}, parse.Literal("", f.Text(n)[len(prefix)+1:])))
		}
		changes = append(changes, change)
	}
	return changes
}

func isName(text string) bool { return text != "" && parse.WordLen(text) == len(text) }
