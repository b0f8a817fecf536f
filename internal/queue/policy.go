package queue

import (
	"cmp"
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
)

// A policy is the policies of the passes.
type policy struct {
	each    []rounds.Policy
	tallies []tally
}

func policyOf(p rounds.Policy, passes int) policy {
	if own, ok := p.(policy); ok {
		return own
	}
	return policy{slices.Repeat([]rounds.Policy{p}, passes), make([]tally, passes)}
}

// Search implements [rounds.Policy].
func (p policy) Search(l *algo.List) *algo.Step[[]int] { return p.each[0].Search(l) }

// Learn implements [rounds.Policy].
func (p policy) Learn(any) rounds.Policy { return p }

// Exhaustive implements [rounds.Policy].
func (p policy) Exhaustive() bool { return p.each[0].Exhaustive() }

// Round implements [rounds.Policy].
func (p policy) Round(before, after int) rounds.Policy {
	p.each = slices.Clone(p.each)
	for i := range p.each {
		if p.each[i] = p.each[i].Round(before, after); p.each[i] == nil {
			return nil
		}
	}
	return p
}

// A tally compares the successes of a pass with its estimates. Later questions count more.
type tally struct{ won, expected float64 }

const (
	prior  = 1    // weight of the estimates, in successes
	recent = 0.97 // factor for the experience before each question
	rare   = 0.2  // estimate if the pass has none
)

func (t tally) with(estimate float64, o algo.Outcome) tally {
	t = tally{recent * t.won, recent*t.expected + cmp.Or(estimate, rare)}
	if o == algo.Interesting {
		t.won++
	}
	return t
}

// chance corrects an estimate.
func (t tally) chance(estimate float64) float64 {
	return min(cmp.Or(estimate, rare)*(t.won+prior)/(t.expected+prior), 1)
}
