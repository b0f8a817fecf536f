package search

import (
	"math/bits"

	"whittle/algo"
)

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
// processor predicts branches: by how it went on lately after the same history,
// and with candidates that take away as much. Its guesses decide what is tested
// early, never what is asked.
type predictor struct {
	after [1 << remembered]tally
	both  [1 << remembered][shares]tally
}

type tally struct{ interesting, all float64 }

const (
	prior    = 0.25 // chance while nothing is known
	strength = 2    // outcomes that the prior weighs as much as
	fade     = 0.95 // of what is known, at each outcome
	shares   = 8
)

// share is how much of a file a candidate takes away: 0 for all of it, 1 for
// half, 2 for a quarter and so on.
type share uint8

func shareOf(base, size int32) share {
	gone := base - size
	if gone <= 0 {
		return shares - 1
	}
	return share(min(bits.Len32(uint32(base/gone))-1, shares-1))
}

func (p *predictor) chance(h history, s share) float64 {
	return p.both[h][s].chance(p.after[h].chance(prior))
}

func (p *predictor) learn(h history, s share, o algo.Outcome) {
	p.after[h].learn(o)
	p.both[h][s].learn(o)
}

func (t tally) chance(prior float64) float64 {
	return (t.interesting + prior*strength) / (t.all + strength)
}

func (t *tally) learn(o algo.Outcome) {
	t.interesting, t.all = t.interesting*fade, t.all*fade+1
	if o == algo.Interesting {
		t.interesting++
	}
}
