package algo

import (
	"cmp"
	"slices"
)

// WProbDD is W_ProbDD of Zhou et al., "WDD: Weighted Delta Debugging" (ICSE 2025), Algorithm 2. It is [ProbDD] with the
// expected weight instead of the expected number of items: items are ordered by w·(1-p), descending, and the prefix
// with the largest Σw·Π(1-p) is removed.
//
//	item       7     6     2     5     3     4     8     1
//	w         25    16     8     8     7     7     6     5     p = 0.2
//	gain    20.0  26.2  25.1  23.3  21.0  18.6  16.1  13.8
//	           ------                                          removed first
//
// This gain may fall and rise again along the list, so all prefixes are compared. Of equal gains the first wins.
//
// Guarantee: as for ProbDD, minimal if the property is monotone.
//
// Cost: the paper gives no bound. In practice it takes about as many tests as ProbDD.
//
// Deviations: items without weight have no gain. When only these are left, they are removed as in ProbDD. A prefix that
// passes with a probability below hopeless is not considered, so that p grows and the search ends.
func WProbDD(p0 float64) Algorithm {
	return func(weights []int) *Step[[]int] {
		w, n := weighted(slices.Clone(weights)), len(weights)
		return believe(n, p0, w.mostGain, w.largestGain).search(All(n))
	}
}

const hopeless = 1e-9

// mostGain orders by w·(1-p), descending. Items without weight come last, by p ascending.
func (w weighted) mostGain(a, b belief) int {
	return cmp.Or(cmp.Compare(w.gain(b), w.gain(a)), cmp.Compare(a.item, b.item))
}

func (w weighted) gain(b belief) float64 {
	if w[b.item] == 0 {
		return -b.p
	}
	return float64(w[b.item]) * (1 - b.p)
}

// largestGain returns the length of the prefix with the largest Σw·Π(1-p), the shortest of equal ones.
func (w weighted) largestGain(open []belief) int {
	k, best := 0, 0.0
	weight, passes := 0.0, 1.0
	for i, b := range open {
		weight += float64(w[b.item])
		passes *= 1 - b.p
		if i > 0 && passes < hopeless {
			break
		}
		if gain := weight * passes; gain > best*(1+Tie) {
			k, best = i+1, gain
		}
	}
	if k == 0 {
		return largestGain(open) // without weight, in the order of ProbDD
	}
	return k
}
