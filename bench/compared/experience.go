package compared

import (
	"math/bits"
	"slices"

	"whittle/algo"
)

// An experience has the last 64 tests of a search: the items that each removed, and the
// outcome. A word has a bit for each test, the last one lowest. An experience is immutable.
//
//	a     0011   removed by the last two
//	b     0110
//	pass  1100   interesting
type experience struct {
	items       []int    // the items in use, ascending
	removed     []uint64 // by item: the tests that removed it
	interesting uint64
	tests       uint64 // the bits in use
}

// lookedAt is the maximum number of items of an experience, evenly spaced. A test then takes at
// most 32 kB, and a tree some milliseconds.
const lookedAt = 1 << 12

// treeDepth is the maximum number of items for a prediction: 64 tests have no information for
// more binary questions.
const treeDepth = 6

func newExperience(items int) experience {
	var e experience
	apart := max(1, (items+lookedAt-1)/lookedAt)
	for i := 0; i < items; i += apart {
		e.items = append(e.items, i)
	}
	e.removed = make([]uint64, len(e.items))
	return e
}

func (e experience) after(kept []int, o algo.Outcome) experience {
	removed := make([]uint64, len(e.items))
	for i, item := range e.items {
		at, found := slices.BinarySearch(kept, item)
		removed[i] = e.removed[i] << 1
		if !found {
			removed[i]++
		}
		kept = kept[at:]
	}
	e.removed = removed
	e.tests = e.tests<<1 + 1
	e.interesting <<= 1
	if o == algo.Interesting {
		e.interesting++
	}
	return e
}

// learn grows a decision tree over the tests, as in Breiman et al., "Classification and
// Regression Trees" (1984): each node splits by the item with the lowest Gini impurity.
func (e experience) learn() *tree { return e.grow(e.tests, treeDepth) }

type tree struct {
	item          int
	removed, kept *tree // nil in a leaf
	p             float64
}

func (e experience) grow(tests uint64, depth int) *tree {
	n, yes := bits.OnesCount64(tests), bits.OnesCount64(tests&e.interesting)
	t := &tree{p: float64(yes+1) / float64(n+2)} // Laplace's rule of succession
	best, split := e.impurity(tests), uint64(0)
	if depth == 0 || best == 0 {
		return t
	}
	for i, removed := range e.removed {
		if left := e.impurity(tests&removed) + e.impurity(tests&^removed); left < best {
			best, split, t.item = left, removed, e.items[i]
		}
	}
	if split != 0 {
		t.removed, t.kept = e.grow(tests&split, depth-1), e.grow(tests&^split, depth-1)
	}
	return t
}

// impurity is the Gini impurity of some tests times their number: 2·yes·no/(yes+no).
func (e experience) impurity(tests uint64) float64 {
	n, yes := bits.OnesCount64(tests), bits.OnesCount64(tests&e.interesting)
	if n == 0 {
		return 0
	}
	return float64(2*yes*(n-yes)) / float64(n)
}

func (t *tree) predict(removes func(item int) bool) float64 {
	for t.removed != nil {
		if removes(t.item) {
			t = t.removed
		} else {
			t = t.kept
		}
	}
	return t.p
}
