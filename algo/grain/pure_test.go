package grain

import (
	"fmt"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
	"whittle/internal/testkit/cases"
)

func TestSearchesArePure(t *testing.T) {
	modes := []algo.Mode{algo.Items, algo.Some, algo.Choices, algo.Single}
	for seed := range cases.Of(t, 40, 4) {
		run := func(ahead bool) (asked string) {
			r := algotest.Rand(uint64(seed))
			p := Policy(Defaults())
			for p.(policy).threshold > 0 || !p.(policy).thorough {
				p = p.Round(100, 100)
			}
			for round := range 12 {
				n := 2 + r.IntN(6)
				l := &algo.List{Mode: modes[round%len(modes)], Weights: make([]int, n), Kinds: make([]string, n), Whole: n,
					Known: func(i int) (own, around uint64) { return uint64(i), uint64(i) }}
				for i := range n {
					l.Weights[i] = 1
				}
				s := p.Search(l)
				for !s.Ended() {
					asked += fmt.Sprint(s.Candidate)
					if ahead {
						s.Next(algo.Uninteresting)
						s.Next(algo.Interesting)
					}
					s = s.Next(algo.Outcome(r.IntN(3)))
				}
				if s != nil {
					p = p.Learn(s.End)
				}
			}
			return asked
		}
		if plain, ahead := run(false), run(true); plain != ahead {
			t.Fatalf("seed %d: asks\n%s, and when looking ahead\n%s", seed, plain, ahead)
		}
	}
}
