// Package grain contains whittle's own list algorithm and its policy.
//
// A list is searched like a group test, with a model that learns the share of required items. The experience is carried
// from list to list, and unlikely questions are postponed. docs/algorithm.md describes it in detail.
package grain

import (
	"whittle/algo"
	"whittle/algo/rounds"
)

// Name is the name of the algorithm.
const Name = "grain"

// Entry returns the table entry of grain for a single list without experience.
func Entry() algo.Entry {
	return algo.Entry{Name: Name, Empty: true, With: func(algo.Params) algo.Algorithm {
		return func(weights []int) *algo.Step[[]int] {
			p := Defaults()
			return inBlocks(&p, weights, always, func(left []int) *step {
				return among(newSearch(&p, of(weights, left), posterior{}).next(), left, nil)
			})
		}
	}}
}

// Policy returns the policy of grain, which learns from each list for the next of its kind. Questions below a threshold
// of expected gain are postponed to later rounds.
//
// A question that failed alone is not repeated after changes elsewhere: of 1,400 questions 4 in 10 were repetitions,
// and 1 in 100 of these succeeded. The last round repeats items and choices with a changed context; with
// [Params.Prove] it repeats all items.
//
// Guarantee: each item was asked for alone without a success since the last change of its context, so the result is
// 1-minimal if removals elsewhere do not matter and no question was Unresolved. With Prove it is 1-minimal as with
// plain policies. Each choice was tested since the last change of its context, except choices that keep less than two
// failed choices ([algo.List.Within]). Other questions came once for each text that they remove.
func Policy(p Params) rounds.Policy { return policy{params: &p, threshold: p.Threshold} }

type policy struct {
	params    *Params // never changed
	threshold float64 // minimum expected gain of a question as a share of the file; 0 in late rounds
	thorough  bool    // long lists of Single items are searched, too
	again     bool    // questions that failed alone are repeated
	history   history
	// Candidates that left a name undefined.
	explained, silent, accepted int
}

func (p policy) Learn(end any) rounds.Policy {
	if lesson, ok := end.(lesson); ok {
		p.history = lesson(p.history)
	}
	return p
}

const (
	// perAccepted is the number of rejected candidates with an undefined name that outweighs an accepted one.
	perAccepted = 8
	// fewSilent rejections without a message are no evidence. Many tests show no messages.
	fewSilent = 8
)

// Undefined implements [rounds.Policy]. Early rounds skip such candidates once a message has explained a rejection, or
// after some rejections without one.
func (p policy) Undefined(explained, silent, accepted int) (rounds.Policy, bool) {
	p.explained += explained
	p.silent += silent
	p.accepted += accepted
	isKnown := p.explained > 0 || p.silent >= fewSilent
	return p, p.threshold > 0 && isKnown && p.explained+p.silent > perAccepted*p.accepted
}

// Round lowers the threshold after a round with a small gain. Without a threshold, long lists of Single items are
// searched after a small gain. If such a round makes no change, failed questions are repeated. If that makes no change,
// it was the last round.
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

func (p policy) Exhaustive() bool { return p.threshold == 0 }

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

// worth reports whether a question with this chance and expected gain deserves a test.
func (p policy) worth(l *algo.List, chance, tokens float64) bool {
	return p.threshold == 0 || chance >= p.params.Likely && tokens >= p.threshold*float64(l.Whole)
}

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
	weights := of(l.Weights, fresh)
	worth := func(weights []int) worth {
		total := 0
		for _, w := range weights {
			total += w
		}
		return func(chance, share, promise float64) bool {
			if l.Level {
				promise = chance * share
			}
			return p.worth(l, chance, promise*float64(total))
		}
	}
	return among(inBlocks(p.params, weights, worth(weights), func(left []int) *step {
		items, weights := of(fresh, left), of(weights, left)
		s := newSearch(p.params, weights, before)
		s.worth, s.clumped = worth(weights), !l.Level
		if l.Known != nil && !p.proves(l) {
			s.alike = func(a, b int) bool {
				a, b = items[a], items[b]
				return b == a+1 && known(l, a)[0] == known(l, b)[0]
			}
		}
		s.end = func(s *search) *step {
			var needed []uint64
			for _, i := range s.kept {
				needed = append(needed, known(l, items[i])...)
			}
			return end(&s.posterior, needed)
		}
		return among(s.next(), left, nil)
	}), fresh, failed)
}
