package rewrite

import (
	"math/bits"

	"whittle/parse"
)

const (
	// window is the number of neighbours of which some go together.
	window = 4
	// mostWindows is how many sets are offered: each takes a look at the syntax.
	mostWindows = 2000
)

// windows takes two to four siblings of four neighbours away, whether or not they are
// members of a list: what belongs together need not stand side by side. Each set has its
// turn in the first window that has it, as in the local search of Vulcan (OOPSLA 2023):
//
//	a b c d e      - -   - . -   - . . -   - - -   - - . -   - . - -   - - - -
//	  b c d e        - -   - . -   - . . -   …
//
// Pairs come first, and what stands at the end of the file: what is used stands before
// what uses it.
func windows(f *File) (changes []Change) {
	for size := 2; size <= window; size++ {
		for n := int32(len(f.Nodes)) - 1; n >= 0; n-- {
			children := f.children(n)
			if len(children) <= size || f.Parts != nil && n > 0 && !f.InFile(children[0]) {
				continue // without them n is gone; or they are the head and the root of a file
			}
			for first := len(children) - size; first >= 0; first-- {
				for _, set := range sets(size) {
					gone := chosen(children[first:], set)
					switch {
					case len(gone) < size:
					case len(changes) == mostWindows:
						return changes
					default:
						changes = append(changes, Change{Drop: gone})
					}
				}
			}
		}
	}
	return changes
}

// sets returns the sets of so many of a window that have its first, the closest ones
// first: bit i is that of the neighbour i places behind it.
func sets(size int) (sets []uint) {
	for set := uint(1); set < 1<<window; set += 2 {
		if bits.OnesCount(set) == size {
			sets = append(sets, set)
		}
	}
	return sets
}

// chosen returns those of a row that are in a set.
func chosen(row []int32, set uint) (chosen []int32) {
	for i, n := range row {
		if set>>i&1 != 0 {
			chosen = append(chosen, n)
		}
	}
	return chosen
}

// children returns the children of n that are neither comments nor separators, which go
// with what they separate.
func (f *File) children(n int32) (children []int32) {
	for d := n + 1; d < f.Nodes[n].Next; d = f.Nodes[d].Next {
		if !f.Nodes[d].Comment && f.Nodes[d].Slot != parse.Separator {
			children = append(children, d)
		}
	}
	return children
}
