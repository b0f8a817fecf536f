package c2d2

import (
	"cmp"
	"math"
	"slices"

	"whittle/algo"
)

// A model holds the probability that each item is critical, as in [algo.ProbDD]; 1 means decided. It is immutable.
type model []float64

func (m model) oneNeeded(items []int) float64 {
	log := 0.0
	for _, i := range items {
		log += math.Log1p(-m[i])
	}
	return -math.Expm1(log)
}

// failed returns the model after the items could not be removed: each p becomes p/(1-Π(1-p)). A single item is decided.
func (m model) failed(removed []int) model {
	m = slices.Clone(m)
	if len(removed) == 1 {
		m[removed[0]] = 1
		return m
	}
	one := m.oneNeeded(removed)
	for _, i := range removed {
		m[i] = min(m[i]/one, 1)
	}
	return m
}

// leastNeeded returns the items to remove, ascending: the k undecided items with the lowest p that maximise k·Π(1-p).
// The list is empty if all are decided.
func (m model) leastNeeded() []int {
	open := make([]int, 0, len(m))
	for i, p := range m {
		if p < 1 {
			open = append(open, i)
		}
	}
	slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(m[a], m[b]) })
	k := min(1, len(open))
	for k < len(open) && m[open[k]]*float64(k+1) <= 1+algo.Tie {
		k++
	}
	slices.Sort(open[:k])
	return open[:k]
}
