package compared

import (
	"math"
	"math/rand/v2"

	"whittle/algo"
)

// ActiveCoarsen is the algorithm of Liang, Tripp and Naik, "Learning Minimal
// Abstractions" (POPL 2011), with their adaptive probability: each item is kept
// with probability α, independently of the others. What is interesting becomes
// the list. α follows the outcomes, so that a share of 1/e of the tests
// succeeds, where the most items go per test:
//
//	α = σ(θ), and after each test θ −= 0.1·(1-1/e) if it passed, else 0.1·(0-1/e)
//
// A list of at most s items, as many as are needed, is scanned: each item is
// removed once, alone. At first α = e^(-1/s), by which s items stay together with
// probability 1/e.
//
// Guarantee: minimal if the property is monotone, by the scan. Not 1-minimal
// otherwise: repeat it for that.
//
// Cost: O(s·log n) tests are expected if s items are needed. Whatever the outcomes,
// it is at most e·n + 10e·ln((n-1)/(s-1/2)) + 1, and n if n ≤ s.
//
// The paper knows s. Nobody does here, so s = p0·n, what p0 promises: then about 1/p0
// items go at first, as many as probdd takes.
//
// The paper samples until s items are left, which may be never. We also stop
// when a sample removes less than one item on average: then it does no more than a
// test of the scan, and may do it twice. As θ rises with each failure, that comes
// whatever the outcomes. And we stop when as many samples in a row have failed as
// there are items: by then the scan would have cost no more. A sample that
// removes nothing is no question; we draw among those that remove something.
func ActiveCoarsen(p algo.Params) algo.Algorithm {
	return func(weights []int) *algo.Step[[]int] {
		n := len(weights)
		s := max(1, math.Round(p.P0*float64(n)))
		c := coarsening{enough: int(s), theta: -math.Log(math.Expm1(1 / s)), random: *rand.NewPCG(p.Seed, 0)}
		return c.search(algo.All(n))
	}
}

// A coarsening is what the sampling has come to.
type coarsening struct {
	enough int // items, to scan
	theta  float64
	vain   int      // samples since the last success
	random rand.PCG // its state: a copy draws the same again
}

func (c coarsening) search(list []int) *step {
	logKept := -math.Log1p(math.Exp(-c.theta))           // ln α
	removes := -math.Expm1(logKept) * float64(len(list)) // (1-α)·n
	if len(list) <= c.enough || removes < 1 || c.vain >= len(list) {
		return algo.Sweep(list, 1, func([]int) *step { return nil })
	}
	rest := c.sample(list, logKept)
	return algo.Ask(rest,
		func() *step { return c.passed().search(rest) },
		func() *step { return c.failed().search(list) })
}

func (c coarsening) passed() coarsening {
	c.theta -= 0.1 * (1 - 1/math.E)
	c.vain = 0
	return c
}

func (c coarsening) failed() coarsening {
	c.theta += 0.1 / math.E
	c.vain++
	return c
}

// sample draws what to keep. It goes from one removed item to the next: k items
// between them are kept with probability αᵏ.
func (c *coarsening) sample(list []int, logKept float64) []int {
	r := rand.New(&c.random)
	one := -math.Expm1(logKept * float64(len(list))) // the probability that any is removed
	var removed []int
	for i := int(math.Log1p(-one*r.Float64()) / logKept); i < len(list); {
		removed = append(removed, list[i])
		i += 1 + int(math.Log1p(-r.Float64())/logKept)
	}
	return algo.Without(list, removed)
}
