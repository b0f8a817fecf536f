package search

import (
	"math"
	"math/bits"

	"whittle/algo"
)

// history is the last outcomes, newest in the lowest bit; 1 is interesting.
type history uint8

const remembered = 2 // outcomes

func (h history) with(o algo.Outcome) history {
	h = h << 1 & (1<<remembered - 1)
	if o == algo.Interesting {
		h |= 1
	}
	return h
}

// predictor predicts the probability of an interesting outcome, like a branch predictor: by
// recent outcomes after the same history, of candidates that remove as much. A prediction of the
// search, [algo.Step.Chance], is added by logistic mixing: the sum of log-odds, with weights that
// outcomes correct (Mahoney, Adaptive Weighing of Context Models for Lossless Data Compression,
// 2005).
type predictor struct {
	after   [1 << remembered]tally
	both    [1 << remembered][shares]tally
	trusted mixture
}

type tally struct{ interesting, all float64 }

const (
	prior    = 0.25 // initial probability
	strength = 2    // weight of the prior in outcomes
	fade     = 0.95 // factor for the past at each outcome
	shares   = 8
)

// share is the part that a candidate removes: 0 all, 1 half, 2 a quarter.
type share uint8

func shareOf(base, size int32) share {
	gone := base - size
	if gone <= 0 {
		return shares - 1
	}
	return share(min(bits.Len32(uint32(base/gone))-1, shares-1))
}

type situation struct {
	history history
	share   share
	chance  float64 // of the search; 0 if unknown
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

// mixture has the weights of two predictions' log-odds, relative to the initial ones.
type mixture struct{ ours, theirs float64 }

const (
	oursAtFirst, theirsAtFirst = 0.7, 0.3

	correction = 0.05 // of the weights at each outcome
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

// logOdds limits the probability to [0.01, 0.99].
func logOdds(chance float64) float64 {
	chance = min(max(chance, 0.01), 0.99)
	return math.Log(chance / (1 - chance))
}
