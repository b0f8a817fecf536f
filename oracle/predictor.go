package oracle

import "whittle/algo"

// history is the last outcomes of a search, the newest in the lowest bit; 1 is
// interesting.
type history uint8

const remembered = 4 // outcomes

func (h history) with(o algo.Outcome) history {
	h = h << 1 & (1<<remembered - 1)
	if o == algo.Interesting {
		h |= 1
	}
	return h
}

// predictor guesses how likely the next outcome is to be interesting, as a
// processor predicts branches: by how it went on lately after the same history.
// Its guesses decide what is tested early, never what is asked.
type predictor [1 << remembered]float64 // chance of interesting, minus 1/4

const (
	prior = 0.25
	rate  = 0.1 // weight of the newest outcome
)

func (p *predictor) chance(h history) float64 { return p[h] + prior }

func (p *predictor) learn(h history, o algo.Outcome) {
	seen := 0.0
	if o == algo.Interesting {
		seen = 1
	}
	p[h] += rate * (seen - p.chance(h))
}
