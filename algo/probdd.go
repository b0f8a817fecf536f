package algo

import (
	"cmp"
	"math"
	"slices"
)

// ProbDD is the algorithm of Wang et al., "Probabilistic Delta Debugging" (FSE 2021), §3. Each item has a probability
// of being required, initially p0. The items with the lowest probabilities are removed together; their number maximises
// the expected gain.
//
//	 a    b    c    d    e    f    g    h      c and h are required
//	.25  .25  .25  .25  .25  .25  .25  .25
//	---  ---  ---  ---                          uninteresting
//	.37  .37  .37  .37  .25  .25  .25  .25
//	                    ---  ---  ---  ---      uninteresting
//	.37  .37  .37  .37  .37  .37  .37  .37
//	---  ---                                    interesting
//	          .37  .37  .37  .37  .37  .37      and so on
//
// Guarantee: minimal if the property is monotone (each list that contains an interesting one is interesting), because
// every item of the result could not be removed alone from a list that contains it. It is the smallest result if only
// one is minimal. Otherwise repeat it for 1-minimality.
//
// Cost: O(n) tests for a given p0 (Theorem 4.1). More exactly, a prefix of k ≥ 2 has no p above 1/k, so it passes with
// probability (1-1/k)^k ≥ 1/4 at least, and its failure raises each p by a factor of at least 4/3. Each item has at
// most m = ⌊1+log(1/2p0)/log(4/3)⌋ such failures before its p exceeds 1/2. With two items or more in each, and at most
// n tests that decide an item, that is at most n(1+m/2) tests; 4n for p0 = 0.1.
//
// Deviations: items of equal probability are taken in order instead of at random. Zhang et al. (ICSE 2025, see [CDD]),
// finding 3, saw no difference. Of two prefixes with the same gain, the larger is taken.
func ProbDD(p0 float64) Algorithm {
	return func(weights []int) *Step[[]int] {
		n := len(weights)
		return believe(n, p0, leastNeeded, largestGain).search(All(n))
	}
}

// A belief is the probability that an undecided item is required: 0 < p < 1.
type belief struct {
	item int
	p    float64
}

// A model holds the beliefs of a search. It is immutable.
type model struct {
	open   []belief // the undecided items in the order of removal
	order  func(a, b belief) int
	prefix func(open []belief) int // number of items to remove next, at least one
}

func believe(items int, p0 float64, order func(a, b belief) int, prefix func([]belief) int) model {
	open := make([]belief, items)
	for i := range open {
		open[i] = belief{i, p0}
	}
	slices.SortFunc(open, order)
	return model{open, order, prefix}
}

func (m model) search(list []int) *step {
	if len(m.open) == 0 {
		return nil
	}
	k := m.prefix(m.open)
	rest := Without(list, itemsOf(m.open[:k]))
	s := Ask(rest,
		func() *step { return m.removed(k).search(rest) },
		func() *step { return m.failed(k).search(list) })
	s.Chance = 1 - oneNeeded(m.open[:k])
	return s
}

func (m model) removed(k int) model {
	m.open = m.open[k:]
	return m
}

// failed returns the model after the first k items could not be removed together: each p becomes p/(1-Π(1-p)). An item
// is decided if it is alone, or if its p is rounded to 1.
func (m model) failed(k int) model {
	if k == 1 {
		return m.removed(1)
	}
	front, back := slices.Clone(m.open[:k]), m.open[k:]
	anyNeeded := oneNeeded(front)
	for i := range front {
		front[i].p = min(front[i].p/anyNeeded, 1)
	}
	slices.SortFunc(front, m.order)

	m.open = make([]belief, 0, len(m.open))
	for _, b := range front {
		if b.p == 1 {
			continue
		}
		i, _ := slices.BinarySearchFunc(back, b, m.order)
		m.open = append(append(m.open, back[:i]...), b)
		back = back[i:]
	}
	m.open = append(m.open, back...)
	return m
}

// oneNeeded returns 1-Π(1-p), the probability that an item is required. Logarithms keep it exact for a tiny p0.
func oneNeeded(beliefs []belief) float64 {
	log := 0.0
	for _, b := range beliefs {
		log += math.Log1p(-b.p)
	}
	return -math.Expm1(log)
}

func leastNeeded(a, b belief) int {
	return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.item, b.item))
}

// largestGain returns the length k of the prefix with the largest expected gain k·Π(1-p), the larger of two equal ones.
// Item k changes the gain by the factor (1-p)·k/(k-1), which is at least 1 as long as p ≤ 1/k. As p is ascending, the
// first item above that ends the prefix.
func largestGain(open []belief) int {
	k := 1
	for k < len(open) && open[k].p*float64(k+1) <= 1+Tie {
		k++
	}
	return k
}

func itemsOf(beliefs []belief) []int {
	list := make([]int, len(beliefs))
	for i, b := range beliefs {
		list[i] = b.item
	}
	slices.Sort(list)
	return list
}
