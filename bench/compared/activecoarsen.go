package compared

import (
	"math"
	"math/rand/v2"

	"whittle/algo"
)

// ActiveCoarsen is the algorithm of Liang, Tripp and Naik, "Learning Minimal Abstractions" (POPL
// 2011), with their adaptive probability: each item is kept with probability α, independently. An
// interesting candidate becomes the list. α adapts so that 1/e of the tests succeed, which
// maximises the removed items per test:
//
//	α = σ(θ), and after each test θ −= 0.1·(1-1/e) if it passed, else 0.1·(0-1/e)
//
// A list of at most s items, the expected number of required items, is scanned: each item is
// removed once, alone. The initial α = e^(-1/s) keeps s items together with probability 1/e.
//
// Guarantee: minimal if the property is monotone, by the scan. Otherwise not 1-minimal.
//
// Cost: O(s·log n) tests are expected if s items are required. At most e·n + 10e·ln((n-1)/(s-1/2))
// + 1, and n if n ≤ s.
//
// Deviations: in the paper s is given. Here s = p0·n: about 1/p0 items are removed at first, as in
// probdd.
//
// The paper samples until s items are left, which may never happen. We also stop when a sample
// removes less than one item on average, because the scan then does the same; and after as many
// consecutive failures as there are items, the cost of the scan. Empty samples are not drawn.
func ActiveCoarsen(p algo.Params) algo.Algorithm {
	return func(weights []int) *algo.Step[[]int] {
		n := len(weights)
		s := max(1, math.Round(p.P0*float64(n)))
		c := coarsening{enough: int(s), theta: -math.Log(math.Expm1(1 / s)), random: *rand.NewPCG(p.Seed, 0)}
		return c.search(algo.All(n))
	}
}

// A coarsening is the state of the sampling.
type coarsening struct {
	enough   int // number of items to scan
	theta    float64
	failures int      // samples since the last success
	random   rand.PCG // a copy draws the same numbers again
}

func (c coarsening) search(list []int) *step {
	logKept := -math.Log1p(math.Exp(-c.theta))           // ln α
	removes := -math.Expm1(logKept) * float64(len(list)) // (1-α)·n
	if len(list) <= c.enough || removes < 1 || c.failures >= len(list) {
		return algo.Sweep(list, 1, func([]int) *step { return nil })
	}
	rest := c.sample(list, logKept)
	return algo.Ask(rest,
		func() *step { return c.passed().search(rest) },
		func() *step { return c.failed().search(list) })
}

func (c coarsening) passed() coarsening {
	c.theta -= 0.1 * (1 - 1/math.E)
	c.failures = 0
	return c
}

func (c coarsening) failed() coarsening {
	c.theta += 0.1 / math.E
	c.failures++
	return c
}

// sample draws the distances between removed items: k items between them are kept with probability
// αᵏ.
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
