// Package wide has the search for many workers: few steps of one test's duration, not few
// tests.
//
// What the passes would ask about a file as long as nothing succeeds does not depend on
// the outcomes, so it can be asked at once. A wave takes the questions of all passes that
// promise most, as many as there are to be tests at once; what succeeds is united, and the
// next wave asks about the file that this makes, while that file itself is tested.
//
//	base ─┬─ ? ─┐                          ┌─ all that succeeded ───┐
//	      ├─ ? ─┤ these succeed, and those ├─ without some of it ───┤ which of these holds?
//	      ├─ ? ─┤ do not                   ├─ ? ─┐ of the next base ┤
//	      └─ ? ─┘                          └─ ? ─┘ if all hold      ┘
package wide

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Name is that of the pass.
const Name = "wide"

// Pass returns the pass that runs others abreast, so many questions at a time, until none
// of them succeeds. What it asks depends on that number, not on how many tests really run
// at once.
//
// Guarantee: in the end each item of a list of the passes has been asked about alone, of
// the file that comes out, in vain, and each choice as by [whittle/algo/grain.Policy].
func Pass(width int, passes ...pass.Pass) pass.Pass {
	return pass.Pass{Name: Name, Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		s := &search{width: width, passes: passes, gate: gate, plan: plan}
		s.plan.Abreast, s.plan.Width = true, 1
		return s.begin(s.state(t, &memory{}))
	}}
}

// begin asks what the first pass asks first, if that is to come before the others and mostly
// holds, with the wave after it.
func (s *search) begin(st state) *pass.Step {
	if s.passes[0].When != pass.First {
		return s.wave(st)
	}
	found, _ := s.harvest(s.passes[0], st, false, map[key]bool{}, 1)
	if len(found) == 0 {
		return s.wave(st)
	}
	return s.suppose(st, found[0], nil, func(held []question) *pass.Step {
		if len(held) > 0 {
			return s.from(st, least(held).candidate)
		}
		return s.wave(st)
	})
}

type search struct {
	width  int
	passes []pass.Pass
	gate   pass.Gate
	plan   pass.Plan
}

// A state is how far a search has come. Like a Step it never changes.
type state struct {
	base   *parse.Candidate
	memory *memory
	asked  map[key]bool // of this base, in vain
}

func (s *search) state(t *parse.Tree, m *memory) state { return state{base: parse.Whole(t), memory: m} }

// wave asks the questions that promise most.
func (s *search) wave(st state) *pass.Step {
	questions, all := s.questions(st, s.width)
	if len(questions) == 0 {
		return s.end()
	}
	return fork(questions, func(outcomes []algo.Outcome) *pass.Step { return s.told(st, questions, all, outcomes) })
}

// told goes on when the outcomes of questions are known, which were all there are or not.
func (s *search) told(st state, questions []question, all bool, outcomes []algo.Outcome) *pass.Step {
	st.memory = st.memory.after(questions, outcomes)
	var won []question
	asked := map[key]bool{}
	for k := range st.asked {
		asked[k] = true
	}
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

// end is the end of the search, after which there is no other round.
func (s *search) end() *pass.Step { return &pass.Step{End: done{s.plan.Policy}} }

type done struct{ rounds.Policy }

func (d done) Learn(any) rounds.Policy               { return d }
func (d done) Round(before, after int) rounds.Policy { return nil }

// fork asks questions that do not depend on each other.
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
