package search

import (
	"math"
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

// predictor guesses how likely a question is to be answered by interesting. Its
// guesses decide what is tested early, never what is asked.
//
// It guesses as a processor predicts branches, by how it went on lately after the same
// history, and with candidates that take away as much. Where the search has a guess of
// its own, [algo.Step.Chance], the two are mixed as compressors do it: their log-odds
// are added, with weights that each outcome corrects (logistic mixing; Mahoney,
// Adaptive Weighing of Context Models for Lossless Data Compression, 2005).
type predictor struct {
	after   [1 << remembered]tally
	both    [1 << remembered][shares]tally
	trusted mixture
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

// A situation is what a guess depends on.
type situation struct {
	history history
	share   share
	chance  float64 // what the search says; 0 is unknown
}

func (p *predictor) chance(s situation) float64 {
	guess := p.both[s.history][s.share].chance(p.after[s.history].chance(prior))
	if s.chance <= 0 {
		return guess
	}
	return p.trusted.mix(logOdds(guess), logOdds(s.chance))
}

func (p *predictor) learn(s situation, o algo.Outcome) {
	both, after := &p.both[s.history][s.share], &p.after[s.history]
	if s.chance > 0 {
		p.trusted.learn(logOdds(both.chance(after.chance(prior))), logOdds(s.chance), o)
	}
	after.learn(o)
	both.learn(o)
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

// mixture is how much each of two guesses is trusted, as what its log-odds are
// multiplied by, less what that is at first.
type mixture struct{ ours, theirs float64 }

const (
	oursAtFirst, theirsAtFirst = 0.7, 0.3

	correction = 0.05 // of the weights, at each outcome
)

func (m *mixture) mix(ours, theirs float64) float64 {
	return 1 / (1 + math.Exp(-(oursAtFirst+m.ours)*ours-(theirsAtFirst+m.theirs)*theirs))
}

func (m *mixture) learn(ours, theirs float64, o algo.Outcome) {
	missed := -m.mix(ours, theirs)
	if o == algo.Interesting {
		missed++
	}
	m.ours += correction * missed * ours
	m.theirs += correction * missed * theirs
}

// logOdds are of a chance that is never quite certain.
func logOdds(chance float64) float64 {
	chance = min(max(chance, 0.01), 0.99)
	return math.Log(chance / (1 - chance))
}
