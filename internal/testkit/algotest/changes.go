package algotest

import (
	"math/rand/v2"
	"slices"

	"whittle/algo"
)

// Changes are items with dependencies, like the changes of a commit.
type Changes struct {
	Needs    [][]int // of each item
	Reported [][]int // of each item, according to a static analysis
	Critical []int   // the items to find, with all that they need
}

// RandomChanges returns n changes. Each need of a change is followed by another with probability needs; every other one
// is a neighbour. The share reported of the needs is reported. Each change also has a wrong report with probability
// wrong.
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

func (c *Changes) add(item int) {
	if slices.Contains(c.Critical, item) {
		return
	}
	c.Critical = append(c.Critical, item)
	for _, needed := range c.Needs[item] {
		c.add(needed)
	}
}

// Property is interesting if all critical items are kept, and unresolved if a need of a kept
// item is not.
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
