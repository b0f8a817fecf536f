package parse

import (
	"math/rand/v2"
	"testing"
)

func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		n := r.IntN(1500)
		c := &Candidate{tree: &Tree{Tokens: make([]Token, n)}, live: allLive(n)}
		if round%2 == 0 {
			c.tree.Weights = make([]int32, n)
			for i := range c.tree.Weights {
				c.tree.Weights[i] = 1 + r.Int32N(9)
			}
		}
		for range r.IntN(5) {
			from := r.IntN(n + 1)
			c.live.clear(from, from+r.IntN(n+1-from))
		}
		c.counted()
		for from := range n + 1 {
			to := from + r.IntN(n+1-from)
			if got, want := c.weigh(from, to), c.live.weigh(from, to, c.tree.Weights); got != want {
				t.Fatalf("[%d, %d) weighs %d, not %d", from, to, got, want)
			}
		}
	}
}
