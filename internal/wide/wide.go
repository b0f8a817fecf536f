// Package wide contains a search for many workers. It minimises the sequential steps, not the
// tests.
//
// The questions that the passes ask as long as all fail do not depend on outcomes. A wave takes
// those with the highest expected gain, one for each worker, and combines the successes. The next
// wave asks about the combination while that itself is tested.
//
//	base ─┬─ ? ─┐                          ┌─ all that succeeded ───┐
//	      ├─ ? ─┤ these succeed, and those ├─ without some of it ───┤ which of these holds?
//	      ├─ ? ─┤ do not                   ├─ ? ─┐ of the next base ┤
//	      └─ ? ─┘                          └─ ? ─┘ if all hold      ┘
package wide

import (
	"maps"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Name is the pass's name.
const Name = "wide"

// Pass returns a pass that combines others and asks width questions at a time, until all fail.
// They depend on width, not on parallel tests.
//
// Guarantee: at the end each item of each list was tested alone on the final file, without
// success. Choices are as in [whittle/algo/grain.Policy].
func Pass(width int, passes ...pass.Pass) pass.Pass {
	return pass.Pass{Name: Name, Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		s := &search{width: width, passes: passes, gate: gate, plan: plan}
		s.plan.Abreast, s.plan.Width = true, 1
		s.plan.Spent = func(string) (int, int, int) { return 0, 0, 0 } // waves are computed ahead of tests
		return s.wave(s.state(t, newMemory()))
	}}
}

type search struct {
	width  int
	passes []pass.Pass
	gate   pass.Gate
	plan   pass.Plan
}

type state struct {
	base   *parse.Candidate
	memory *memory
	asked  map[key]bool // failed questions about the base
}

func (s *search) state(t *parse.Tree, m *memory) state { return state{base: parse.Whole(t), memory: m} }

func (s *search) wave(st state) *pass.Step {
	questions, all := s.questions(st, s.width)
	if len(questions) == 0 {
		return s.end()
	}
	return fork(questions, func(outcomes []algo.Outcome) *pass.Step { return s.answered(st, questions, all, outcomes) })
}

// answered continues after outcomes; all means that there are no other questions.
func (s *search) answered(st state, questions []question, all bool, outcomes []algo.Outcome) *pass.Step {
	st.memory = st.memory.after(questions, outcomes)
	var won []question
	asked := map[key]bool{}
	maps.Copy(asked, st.asked)
	for i, q := range questions {
		if asked[q.key] = true; outcomes[i] == algo.Interesting {
			won = append(won, q)
		}
	}
	switch st.asked = asked; {
	case len(won) > 0:
		return s.unite(st, won)
	case all:
		return s.end()
	}
	return s.wave(st)
}

// end also prevents another round.
func (s *search) end() *pass.Step { return &pass.Step{End: done{s.plan.Policy}} }

type done struct{ rounds.Policy }

func (d done) Learn(any) rounds.Policy               { return d }
func (d done) Round(before, after int) rounds.Policy { return nil }

func fork(questions []question, then func([]algo.Outcome) *pass.Step) *pass.Step {
	parts := make([]func() *pass.Step, len(questions))
	for i, q := range questions {
		parts[i] = func() *pass.Step {
			return &pass.Step{Candidate: q.candidate, About: q.about, Chance: q.chance, Next: func(o algo.Outcome) *pass.Step {
				return &pass.Step{End: o}
			}}
		}
	}
	return &pass.Step{Fork: parts, Join: func(ends []any) *pass.Step {
		outcomes := make([]algo.Outcome, len(ends))
		for i, end := range ends {
			outcomes[i] = end.(algo.Outcome)
		}
		return then(outcomes)
	}}
}
