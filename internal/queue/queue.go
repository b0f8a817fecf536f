// Package queue combines passes into one search. Of the questions that the passes would ask next, it asks the one with
// the highest expected gain: chance of success times tokens. Large gains count for less, since they succeed less often.
//
//	definitions  chance 0.1, 30 tokens ──┐
//	perses       chance 0.3,  9 tokens ──┼── definitions asks, and continues with the outcome
//	rewrite      chance 0.2, 12 tokens ──┘
//
// All passes search the same tree. Each continues from its own last success, and its candidates get the changes of the
// best file. So a success of one pass does not restart the others. A pass may go on with a tree of the best file of its
// own; a success there ends the search.
package queue

import (
	"bytes"
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Name is the name of the pass.
const Name = "queue"

// Pass returns a pass that combines others. With prove it asks all questions, otherwise only questions worth a test.
// The pass ends when all have ended, or when the file is so much smaller that a new tree is better. It suits small
// files: a search for a few required items among many begins with questions that promise little, and would be put off.
func Pass(prove bool, passes ...pass.Pass) pass.Pass {
	return pass.Pass{Name: Name, Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		before := policyOf(plan.Policy, len(passes))
		s := &search{prove: prove, passes: passes, gate: gate, whole: parse.Whole(t), before: before}
		st := state{best: s.whole, names: pass.NamesOf(s.whole), print: fingerprint(s.whole.Render()),
			tallies: before.tallies, suspicious: before.suspicious, failed: before.failed.on(s.whole)}
		plan.Width = 1 // look-ahead serves parallel tests
		for i, p := range passes {
			plan.Policy = before.each[i]
			st.sources = append(st.sources, source{step: p.Search(t, gate, plan)})
		}
		return s.next(st)
	}}
}

type search struct {
	prove  bool
	passes []pass.Pass
	gate   pass.Gate
	whole  *parse.Candidate
	before policy
}

type state struct {
	best       *parse.Candidate
	names      *pass.Names // of best
	print      uint64      // of best
	sources    []source
	tallies    tallies
	suspicious [suspicions]tally
	failed     failures
}

// A source is the search of a pass.
type source struct {
	step       *pass.Step
	base       *parse.Candidate // the best file for which candidate was made
	candidate  *parse.Candidate // of step, with the changes of base
	suspicious [suspicions]bool
	edit       uint64 // from base to candidate
	removed    []int  // tokens that candidate deletes or edits
	edited     bool   // candidate does not only delete
}

// left is the share of the tree at which the passes start again with a new tree.
const left = 0.9

func (s *search) next(st state) *pass.Step {
	if st.best.Tree() != s.whole.Tree() || float64(st.best.Weight()) < left*float64(s.whole.Weight()) {
		return s.end(st)
	}
	st.sources = slices.Clone(st.sources)
	best, most, chance := -1, 0.0, 0.0
	for i := range st.sources {
		from := s.refresh(st, i)
		if st.sources[i] = from; from.step.Ended() {
			continue
		}
		p := st.chance(i, from)
		if expected := p * gain(st.best, from.candidate); expected > most {
			best, most, chance = i, expected, p
		}
	}
	if best < 0 {
		return s.end(st)
	}
	asked := st.sources[best]
	return &pass.Step{
		Candidate: asked.candidate, Chance: chance, About: asked.step.About, Source: s.passes[best].Name,
		Next: func(o algo.Outcome) *pass.Step {
			next := st
			next.sources = slices.Clone(st.sources)
			next.sources[best] = source{step: asked.step.Next(o)}
			next.tallies = st.tallies.with(best, asked.step, st.failed.factor(asked), o)
			for k, suspicious := range asked.suspicious {
				if suspicious {
					next.suspicious[k] = st.suspicious[k].with(suspect[k]*st.tallies.chance(best, asked.step), o)
				}
			}
			switch o {
			case algo.Interesting:
				next.best, next.names = asked.candidate, pass.NamesOf(asked.candidate)
				next.print, next.failed = st.print+asked.edit, st.failed.after(asked)
			case algo.Uninteresting:
				next.failed = st.failed.with(asked)
			}
			return s.next(next)
		},
	}
}

// chance estimates the chance of the question of a source.
func (st state) chance(i int, from source) float64 {
	p := st.tallies.chance(i, from.step)
	for k, suspicious := range from.suspicious {
		if suspicious {
			p = st.suspicious[k].chance(suspect[k] * p)
		}
	}
	return p * st.failed.factor(from)
}

// refresh advances a source to its next question that deserves a test of the best file. A question needs no test if
// other sources have made its changes already, or if the same edit has failed.
func (s *search) refresh(st state, i int) source {
	from := st.sources[i]
	for !from.step.Ended() && !(from.base == st.best && s.promises(st, i, from) && !s.knows(st, from)) {
		base, c, fit := st.best, from.step.Candidate, false
		if own := c.Tree(); own == base.Tree() {
			c, fit = base.Unite(c)
		} else if fit = bytes.Equal(own.Source, base.Render()); fit {
			base = parse.Whole(own)
		}
		outcome := algo.Unresolved
		switch {
		case fit && c.Weight() == st.best.Weight() && bytes.Equal(c.Render(), st.best.Render()):
			outcome = algo.Interesting
		case fit:
			next := source{step: from.step, base: st.best, candidate: c, edited: true}
			if base == st.best {
				undefined := st.names.Undefined(base, c, false)
				next.suspicious = [suspicions]bool{len(undefined) > 0, s.gate.IsWorse(base, c)}
				next.removed, next.edited = c.Removed(base)
			}
			if s.promises(st, i, next) && s.gate.Allows(base, c) {
				if next.edit = fingerprint(c.Render()) - st.print; !s.knows(st, next) {
					return next
				}
			}
		}
		from = source{step: from.step.Next(outcome)}
	}
	return from
}

// promises reports whether the expected gain of a question is worth a test.
func (s *search) promises(st state, i int, from source) bool {
	enough := least * min(1, float64(st.best.Weight())/small)
	return s.prove || st.chance(i, from)*gain(st.best, from.candidate) >= enough
}

// knows reports whether the edit of a question has failed.
func (s *search) knows(st state, from source) bool { return !s.prove && st.failed.edits[from.edit] > 0 }

const (
	// least is the expected gain that is worth a test, in tokens. It is less in a file of fewer than small tokens.
	least = 0.006
	small = 40
	// halfValue is the gain in tokens that counts for half.
	halfValue = 5

	tokensPerByte = 0.1
)

func gain(best, c *parse.Candidate) float64 {
	tokens := float64(best.Weight() - c.Weight())
	bytes := float64(len(best.Render()) - len(c.Render()))
	gain := max(tokens+tokensPerByte*bytes, tokensPerByte/2)
	return gain / (1 + gain/halfValue)
}

// end returns the experience of all passes.
func (s *search) end(st state) *pass.Step {
	learned := policy{slices.Clone(s.before.each), st.tallies, st.suspicious, st.failed}
	for i, from := range st.sources {
		if p, ok := experience(from.step).(rounds.Policy); ok {
			learned.each[i] = p
		}
	}
	return &pass.Step{End: learned}
}

func experience(s *pass.Step) any {
	switch {
	case s == nil:
		return nil
	case !s.Ended() && s.Learned != nil:
		return s.Learned()
	}
	return s.End
}
