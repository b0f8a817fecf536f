// Package queue combines passes into one search. Of the questions that the passes would ask next, it asks the one with
// the highest expected gain: chance of success times tokens.
//
//	definitions  chance 0.1, 30 tokens ──┐
//	perses       chance 0.3,  9 tokens ──┼── definitions asks, and goes on from the outcome
//	rewrite      chance 0.2, 12 tokens ──┘
//
// All passes search the same tree. Each continues from its own last success, and its candidates get the changes of the
// best file. So a success of one pass does not restart the others.
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

// Pass returns a pass that combines others. Questions with an expected gain below least, in tokens, are not asked. The
// pass ends when all have ended, or when the file is so much smaller that a new tree is better. It suits small files: a
// search for a few required items among many begins with questions that promise little, and would be put off.
func Pass(least float64, passes ...pass.Pass) pass.Pass {
	return pass.Pass{Name: Name, Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		before := policyOf(plan.Policy, len(passes))
		s := &search{least: least, passes: passes, gate: gate, whole: parse.Whole(t), before: before}
		st := state{best: s.whole, tallies: before.tallies}
		plan.Width = 1 // look-ahead serves parallel tests
		for i, p := range passes {
			plan.Policy = before.each[i]
			st.sources = append(st.sources, source{step: p.Search(t, gate, plan)})
		}
		return s.next(st)
	}}
}

type search struct {
	least  float64
	passes []pass.Pass
	gate   pass.Gate
	whole  *parse.Candidate
	before policy
}

type state struct {
	best    *parse.Candidate
	sources []source
	tallies []tally
}

// A source is the search of a pass.
type source struct {
	step      *pass.Step
	base      *parse.Candidate // the best file for which candidate was made
	candidate *parse.Candidate // of step, with the changes of base
}

// left is the share of the tree at which the passes start again with a new tree.
const left = 0.9

func (s *search) next(st state) *pass.Step {
	if float64(st.best.Weight()) < left*float64(s.whole.Weight()) {
		return s.end(st)
	}
	st.sources = slices.Clone(st.sources)
	best, most, chance := -1, 0.0, 0.0
	for i := range st.sources {
		from := s.refresh(st.sources[i], st.best, st.tallies[i])
		if st.sources[i] = from; from.step.Ended() {
			continue
		}
		p := st.tallies[i].chance(from.step.Chance)
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
			next.sources, next.tallies = slices.Clone(st.sources), slices.Clone(st.tallies)
			next.sources[best] = source{step: asked.step.Next(o)}
			next.tallies[best] = st.tallies[best].with(asked.step.Chance, o)
			if o == algo.Interesting {
				next.best = asked.candidate
			}
			return s.next(next)
		},
	}
}

// refresh goes on to the next question of a source that deserves a test of the best file. A question is answered
// without a test if other sources have made its changes already.
func (s *search) refresh(from source, best *parse.Candidate, t tally) source {
	for from.base != best && !from.step.Ended() {
		c, fit := best.Unite(from.step.Candidate)
		outcome := algo.Unresolved
		switch {
		case fit && c.Weight() == best.Weight() && bytes.Equal(c.Render(), best.Render()):
			outcome = algo.Interesting
		case fit && t.chance(from.step.Chance)*gain(best, c) >= s.least && s.gate.Allows(best, c):
			return source{from.step, best, c}
		}
		from = source{step: from.step.Next(outcome)}
	}
	return from
}

const tokensPerByte = 0.1

func gain(best, c *parse.Candidate) float64 {
	tokens := float64(best.Weight() - c.Weight())
	bytes := float64(len(best.Render()) - len(c.Render()))
	return max(tokens+tokensPerByte*bytes, tokensPerByte/2)
}

// end returns the experience of all passes.
func (s *search) end(st state) *pass.Step {
	learned := policy{slices.Clone(s.before.each), st.tallies}
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
