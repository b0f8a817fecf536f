package queue

import (
	"cmp"
	"maps"
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/pass"
)

// A policy combines the policies of the passes.
type policy struct {
	each       []rounds.Policy
	tallies    tallies
	suspicious [suspicions]tally
	failed     failures
}

func policyOf(p rounds.Policy, passes int) policy {
	if own, ok := p.(policy); ok {
		return own
	}
	return policy{slices.Repeat([]rounds.Policy{p}, passes), nil, [suspicions]tally{}, failures{}}
}

// Search implements [rounds.Policy].
func (p policy) Search(l *algo.List) *algo.Step[[]int] { return p.each[0].Search(l) }

// Learn implements [rounds.Policy].
func (p policy) Learn(any) rounds.Policy { return p }

// Undefined implements [rounds.Policy]. The queue has its own experience.
func (p policy) Undefined(_, _, _ int) (rounds.Policy, bool) { return p, false }

// Exhaustive implements [rounds.Policy].
func (p policy) Exhaustive() bool { return p.each[0].Exhaustive() }

// manyFailures is the number of failures for each token of the result after which it is worth to repeat them once. The
// repetition costs one to two tests for each token.
const manyFailures = 15

// Round implements [rounds.Policy]. A long search ends with a round that repeats failed questions.
func (p policy) Round(before, after int) rounds.Policy {
	if after == before && p.failed.count >= manyFailures*after {
		p.failed = failures{}
	}
	p.each = slices.Clone(p.each)
	for i := range p.each {
		if p.each[i] = p.each[i].Round(before, after); p.each[i] == nil {
			return nil
		}
	}
	return p
}

// tallies correct the estimates for lists, by pass and kind. The estimates for choices count their successes already.
type tallies map[kind]tally

type kind struct {
	pass int
	list string
}

// kindOf returns no kind for choices.
func kindOf(i int, s *pass.Step) (k kind, ok bool) {
	switch {
	case s.About == nil:
		return kind{pass: i}, true
	case s.About.List.Mode == algo.Choices:
		return kind{}, false
	}
	return kind{i, s.About.Kind()}, true
}

func (t tallies) chance(i int, s *pass.Step) float64 {
	if k, ok := kindOf(i, s); ok {
		return t[k].chance(s.Chance)
	}
	return tally{}.chance(s.Chance)
}

func (t tallies) with(i int, s *pass.Step, factor float64, o algo.Outcome) tallies {
	if k, ok := kindOf(i, s); ok {
		next := tallies{}
		maps.Copy(next, t)
		next[k] = t[k].with(factor*cmp.Or(s.Chance, usual), o)
		return next
	}
	return t
}

// A tally compares successes with estimates. Later questions count more.
type tally struct{ won, expected float64 }

const (
	prior  = 1    // weight of the estimates, in successes
	recent = 0.97 // factor for the experience before each question
	usual  = 0.2  // estimate for a question without one
)

// suspicions are reasons to expect that a question fails: it leaves a name undefined, or adds a syntax error.
const suspicions = 2

// suspect has the initial factor of each suspicion for the chance of a question.
var suspect = [suspicions]float64{0.15, 0.5}

func (t tally) with(estimate float64, o algo.Outcome) tally {
	t = tally{recent * t.won, recent*t.expected + cmp.Or(estimate, usual)}
	if o == algo.Interesting {
		t.won++
	}
	return t
}

// chance corrects an estimate.
func (t tally) chance(estimate float64) float64 {
	return min(cmp.Or(estimate, usual)*(t.won+prior)/(t.expected+prior), 1)
}
