package rewrite

import "slices"

// pairs deletes the nodes around all uses of two names whose first uses follow each other, such as macros for braces.
//
//	#define BEGIN {
//	#define END }
//	BEGIN int a; END    =>    int a;
func pairs(f *File) (changes []Change) {
	names := f.Names()
	for i := 1; i < len(names); i++ {
		var nodes []int32
		for _, use := range slices.Concat(names[i-1].Uses, names[i].Uses) {
			if n := f.mayGo(use); n > 0 && !f.inAny(n, nodes) {
				nodes = append(nodes, n)
			}
		}
		if len(nodes) > 0 {
			changes = append(changes, Change{Drop: nodes})
		}
	}
	return changes
}
