// Package grain is whittle's own algorithm, and the policy that goes with it.
//
// A list is searched like a group test, with a model that learns how much of a
// list is needed; what it has learned is carried from list to list; and what is
// not likely to pay is put off. docs/algorithm.md tells of it at length.
package grain

import (
	"whittle/algo"
	"whittle/algo/rounds"
)

// Name is that of the algorithm.
const Name = "grain"

// Entry returns the row of a table of algorithms: grain for a list alone, of
// which nothing is known.
func Entry() algo.Entry {
	return algo.Entry{Name: Name, Empty: true, With: func(algo.Params) algo.Algorithm {
		return func(weights []int) *algo.Step[[]int] {
			p := Defaults()
			return newSearch(&p, weights, posterior{}).next()
		}
	}}
}

// Policy returns the policy of the algorithm grain. It learns from each list for
// the next of its kind, and it has a threshold at first: what is not likely to take
// away a good part of the file is left for a later round. Most of what fails early
// fails again later, against a smaller file, and then counts for good; much of what
// could go is gone by then with something larger. In the end it asks for
// everything.
//
// What has failed alone is not asked for again, whatever has changed elsewhere: of 1,400
// questions 4 in 10 had been asked of a larger file, and 1 in 100 of these succeeded.
// Only when nothing else is left there is a last round that asks for each item again,
// and for each choice that may have become another: something has changed that it has to
// do with.
//
// Guarantee: the last round has asked for each item alone, in vain: the result is
// 1-minimal like that of plain policies. Each choice has been asked for, but for those
// that keep less than two others which have failed ([algo.List.Within]), and nothing that
// has to do with it has changed since. Other questions have been asked once for what they
// take away.
func Policy(p Params) rounds.Policy { return policy{params: &p, threshold: p.Threshold} }

type policy struct {
	params    *Params // which do not change
	threshold float64 // the least share of the file that a question has to promise; 0 for none
	thorough  bool    // many are asked for one by one, too
	again     bool    // what has failed alone is asked for again
	history   history
}

// Learn implements [rounds.Policy].
func (p policy) Learn(end any) rounds.Policy {
	if lesson, ok := end.(lesson); ok {
		p.history = lesson(p.history)
	}
	return p
}

// Round lowers the threshold after a round that did not gain enough for it. Where many are
// asked for one by one they have their turn when a round without a threshold has gained
// little. When such a round has changed nothing either, what has failed is asked for again;
// if that changes nothing, it was the last.
func (p policy) Round(before, after int) rounds.Policy {
	little := float64(before-after) <= p.params.Little*float64(before)
	switch {
	case p.threshold > 0 && little:
		p.threshold *= p.params.Lower
		tokens := p.threshold * float64(after)
		if tokens < 1 || p.threshold < p.params.Least && tokens < p.params.LeastTokens {
			p.threshold = 0
		}
	case p.again && after == before:
		return nil
	case p.threshold == 0:
		p.again = p.thorough && after == before
		p.thorough = little
	}
	return p
}

// Search implements [rounds.Policy].
func (p policy) Search(l *algo.List) *step {
	switch {
	case len(l.Weights) == 0:
		return nil
	case l.Mode == algo.Choices:
		return p.choose(l)
	case l.Mode == algo.Single && !p.thorough && (p.threshold > 0 || float64(len(l.Weights)) > p.params.Few):
		return nil
	case l.Mode == algo.Single:
		return p.each(l)
	}
	return p.minimise(l)
}

// worth reports whether a question is worth a test that is interesting with this
// chance, where so many tokens can be expected to go.
func (p policy) worth(l *algo.List, chance, tokens float64) bool {
	return p.threshold == 0 || chance >= p.params.Likely && tokens >= p.threshold*float64(l.Whole)
}

// minimise searches a list by grain. What has failed before stays, without a question.
func (p policy) minimise(l *algo.List) *step {
	kind := l.Kind
	before := p.history.posteriors[kind]
	if p.threshold == 0 {
		kind += ", all that is left"
		if known, ok := p.history.posteriors[kind]; ok {
			before = known
		}
	}
	total := 0
	for _, w := range l.Weights {
		total += w
	}
	end := func(after *posterior, failed []uint64) *step {
		return &step{End: lesson(func(h history) history {
			return h.withList(kind, &before, after, p.params.Fade).withFailed(failed)
		})}
	}
	if !p.worth(l, 1, float64(total)) { // most lists of a large file
		return end(&before, nil)
	}
	fresh, failed := p.split(l)
	total = 0
	weights := make([]int, len(fresh))
	for i, item := range fresh {
		weights[i] = l.Weights[item]
		total += weights[i]
	}
	s := newSearch(p.params, weights, before)
	s.clumped = !l.Level
	s.end = func(s *search) *step {
		var needed []uint64
		for _, i := range s.kept {
			needed = append(needed, known(l, fresh[i])...)
		}
		return end(&s.posterior, needed)
	}
	s.worth = func(chance, share, promise float64) bool {
		if l.Level {
			promise = chance * share
		}
		return p.worth(l, chance, promise*float64(total))
	}
	return beside(s.next(), fresh, failed)
}
