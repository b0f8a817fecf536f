package algotest

import (
	"math/rand/v2"
	"slices"

	"whittle/algo"
)

// Changes are items that need each other, as the changes of a commit do.
type Changes struct {
	Needs    [][]int // of each item, in fact
	Reported [][]int // of each item, as a program says that only looks at it
	Critical []int   // what is looked for, with all that it needs
}

// RandomChanges returns n changes. After each need of a change there is one more with
// probability needs, every other one of a neighbour. That share of the needs is
// reported; and so is, with probability wrong for each change, one that is none.
func RandomChanges(r *rand.Rand, n int, needs, reported, wrong float64) Changes {
	c := Changes{Needs: make([][]int, n), Reported: make([][]int, n)}
	for i := range n {
		for r.Float64() < needs {
			needed := r.IntN(n)
			if r.IntN(2) == 0 {
				needed = max(0, min(n-1, i-3+r.IntN(7)))
			}
			if needed == i {
				continue
			}
			c.Needs[i] = append(c.Needs[i], needed)
			if r.Float64() < reported {
				c.Reported[i] = append(c.Reported[i], needed)
			}
		}
		if r.Float64() < wrong {
			c.Reported[i] = append(c.Reported[i], r.IntN(n))
		}
	}
	for range 1 + r.IntN(3) {
		c.add(r.IntN(n))
	}
	slices.Sort(c.Critical)
	return c
}

// add makes an item critical, and what it needs.
func (c *Changes) add(item int) {
	if slices.Contains(c.Critical, item) {
		return
	}
	c.Critical = append(c.Critical, item)
	for _, needed := range c.Needs[item] {
		c.add(needed)
	}
}

// Property is interesting if all that is critical is kept, and unresolved without
// something that what is kept needs.
func (c Changes) Property(kept []int) algo.Outcome {
	for _, item := range kept {
		for _, needed := range c.Needs[item] {
			if _, in := slices.BinarySearch(kept, needed); !in {
				return algo.Unresolved
			}
		}
	}
	return Needs(c.Critical)(kept)
}
