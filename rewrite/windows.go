package rewrite

import (
	"math/bits"

	"whittle/parse"
)

const (
	window = 4
	// Each set needs a syntax check.
	maxWindows = 2000
)

// windows deletes two to four of four neighbouring siblings, in lists or not, since related nodes need not be adjacent.
// Each set appears in the first window that contains it, as in the local search of Vulcan (OOPSLA 2023):
//
//	a b c d e      - -   - . -   - . . -   - - -   - - . -   - . - -   - - - -
//	  b c d e        - -   - . -   - . . -   …
//
// Pairs come first, then the end of the file, because uses follow definitions.
func windows(f *File) (changes []Change) {
	for size := 2; size <= window; size++ {
		for n := int32(len(f.Nodes)) - 1; n >= 0; n-- {
			children := f.children(n)
			if len(children) <= size || f.Parts != nil && n > 0 && !f.InFile(children[0]) {
				continue // would delete n, or a head or root of an archive
			}
			for first := len(children) - size; first >= 0; first-- {
				for set := uint(1); set < 1<<window; set += 2 { // as bits, the most compact sets first
					if bits.OnesCount(set) != size {
						continue
					}
					switch nodes := chosen(children[first:], set); {
					case len(nodes) < size:
					case len(changes) == maxWindows:
						return changes
					default:
						changes = append(changes, Change{Drop: nodes})
					}
				}
			}
		}
	}
	return changes
}

func chosen(nodes []int32, set uint) (chosen []int32) {
	for i, n := range nodes {
		if set>>i&1 != 0 {
			chosen = append(chosen, n)
		}
	}
	return chosen
}

// children leaves out comments, separators and needed parts.
func (f *File) children(n int32) (children []int32) {
	for d := n + 1; d < f.Nodes[n].Next; d = f.Nodes[d].Next {
		if !f.Nodes[d].Comment && f.Nodes[d].Slot != parse.Separator && !f.Needed(d) {
			children = append(children, d)
		}
	}
	return children
}
