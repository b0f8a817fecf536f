package oracle

import "whittle/algo"

// history is the last outcomes of a search, the newest in the lowest bit; 1 is
// interesting.
type history uint8

const remembered = 2 // outcomes

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
type predictor [1 << remembered]struct{ interesting, all float64 }

const (
	prior    = 0.25 // chance while nothing is known
	strength = 2    // outcomes that the prior weighs as much as
	fade     = 0.95 // of what is known, at each outcome
)

func (p *predictor) chance(h history) float64 {
	seen := p[h]
	return (seen.interesting + prior*strength) / (seen.all + strength)
}

func (p *predictor) learn(h history, o algo.Outcome) {
	seen := &p[h]
	seen.interesting, seen.all = seen.interesting*fade, seen.all*fade+1
	if o == algo.Interesting {
		seen.interesting++
	}
}
