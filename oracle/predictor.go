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

// hint is how a step of the same topic came out, on another path.
type hint uint8

const (
	untold hint = iota
	toldNo
	toldYes
	hints // the number of them
)

// predictor guesses how likely the next outcome is to be interesting, as a
// processor predicts branches: by how it went on lately after the same history
// and hint. Its guesses decide what is tested early, never what is asked.
type predictor [hints][1 << remembered]struct{ interesting, all float64 }

// prior is the chance while nothing is known.
var prior = [hints]float64{untold: 0.25, toldNo: 0.05, toldYes: 0.9}

const (
	strength = 2    // outcomes that the prior weighs as much as
	fade     = 0.95 // of what is known, at each outcome
)

func (p *predictor) chance(t hint, h history) float64 {
	seen := p[t][h]
	return (seen.interesting + prior[t]*strength) / (seen.all + strength)
}

func (p *predictor) learn(t hint, h history, o algo.Outcome) {
	seen := &p[t][h]
	seen.interesting, seen.all = seen.interesting*fade, seen.all*fade+1
	if o == algo.Interesting {
		seen.interesting++
	}
}
