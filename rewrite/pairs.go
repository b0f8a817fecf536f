package rewrite

import "slices"

// pairs takes two names away that stand one behind the other where they first stand, with
// the innermost nodes around them that may go: what opens and what closes, as two macros.
//
//	#define BEGIN {
//	#define END }
//	BEGIN int a; END    =>    int a;
func pairs(f *File) (changes []Change) {
	names := f.Names()
	for i := 1; i < len(names); i++ {
		var gone []int32
		for _, use := range slices.Concat(names[i-1].Uses, names[i].Uses) {
			if n := f.closest(use); n > 0 && !f.inAny(n, gone) {
				gone = append(gone, n)
			}
		}
		if len(gone) > 0 {
			changes = append(changes, Change{Drop: gone})
		}
	}
	return changes
}

// closest returns the innermost node around n that may go, or -1.
func (f *File) closest(n int32) int32 {
	for ; n > 0; n = f.Nodes[n].Parent {
		if f.Nodes[n].Slot.Droppable() {
			return n
		}
	}
	return -1
}
