// Package synthetic makes the random lists of the analysis in the WDD paper (§IV-D) and runs
// searches on them without files.
package synthetic

import (
	"math"
	"math/rand/v2"

	"whittle/algo"
)

// A List has items of random weight. Each token is removable with the same probability, so an
// item of weight w is removable with the w-th power of it. A part of the list is interesting if
// it has all items that are not removable.
type List struct {
	Weights []int
	Needed  int // number of items that are not removable

	// keys has a random number for each item. Its lowest 10 bits are 1 if the item is required,
	// else 0. So the sum over a list identifies the list and counts its required items.
	keys []uint64
}

// longest is the length of the longest lists.
const longest = 1000

// Random draws a list as in the paper: 2 to 1000 items, a total weight of one to ten times as
// much, and the probability that a token is removable, each uniform.
func Random(r *rand.Rand) List {
	n := 2 + r.IntN(longest-1)
	return newList(r, n, n+r.IntN(9*n+1), r.Float64())
}

// Even returns list i of an infinite sequence. Length, total weight and removability determine
// most of the number of tests. They are spread evenly instead of at random, so that fewer lists
// give the same averages: each is uniform, and any first few lists cover their space (an
// additive recurrence with the powers of 1/g, g⁴ = g+1).
func Even(i int) List {
	const g = 1.2207440846057596
	even := func(power float64) float64 {
		_, frac := math.Modf(0.5 + float64(i)*math.Pow(g, -power))
		return frac
	}
	n := 2 + int((longest-1)*even(1))
	total := n + int(float64(9*n+1)*even(2))
	return newList(rand.New(rand.NewPCG(uint64(i), 20240917)), n, total, even(3))
}

func newList(r *rand.Rand, n, total int, removable float64) List {
	l := List{Weights: make([]int, n), keys: make([]uint64, n)}
	for i := range n {
		l.Weights[i] = 1
	}
	for range total - n {
		l.Weights[r.IntN(n)]++
	}
	for i, w := range l.Weights {
		l.keys[i] = r.Uint64() << 10
		if r.Float64() >= math.Pow(removable, float64(w)) {
			l.keys[i]++
			l.Needed++
		}
	}
	return l
}

// Run runs a search to its end and counts the distinct candidates and the remaining items.
func (l List) Run(s *algo.Step[[]int]) (tests, remaining int) {
	known := make(map[uint64]bool)
	remaining = len(l.Weights)
	for !s.Ended() {
		sum := l.sum(s.Candidate)
		known[sum] = true
		o := algo.Uninteresting
		if int(sum%1024) == l.Needed {
			o, remaining = algo.Interesting, len(s.Candidate)
		}
		s = s.Next(o)
	}
	return len(known), remaining
}

func (l List) sum(list []int) uint64 {
	var sum uint64
	for _, item := range list {
		sum += l.keys[item]
	}
	return sum
}

// Bound is a lower bound for comparisons: ⌈log₂ C(n,k)⌉ answers to determine which k of n items
// are required, and k tests to show that each of them is.
func (l List) Bound() int {
	n, k := float64(len(l.Weights)), float64(l.Needed)
	bits := (lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)) / math.Ln2
	return int(math.Ceil(bits-1e-6)) + l.Needed
}

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}
