package pass

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// Try is a trial: it asks about a candidate that may be worse than base, from which
// it was made, and if that is interesting runs the usual passes over it, until they
// change nothing or so many questions were asked; those of a fork that has begun are
// asked to its end. Then the search goes on with then, which gets the tree of what
// this has come to, or nil if that is not better than base: so far nothing was
// accepted that is not better than the best file, and nothing is to be undone.
//
// Trials may be nested: what a usual pass tries is a part of the questions.
func (p Plan) Try(gate Gate, base, candidate *parse.Candidate, questions int,
	then func(better *parse.Tree) *Step,
) *Step {
	if questions <= 0 || !gate.fits(base, candidate) {
		return then(nil)
	}
	t := trial{plan: p, gate: gate, end: func(best parse.Measure) *Step {
		if !best.Less(base.Measure()) {
			return then(nil)
		}
		tree, err := p.Parse(best.File)
		if err != nil {
			return then(nil)
		}
		return then(tree)
	}}
	return &Step{Candidate: candidate, Next: func(o algo.Outcome) *Step {
		if o != algo.Interesting {
			return then(nil)
		}
		return t.round(candidate.Measure(), questions-1)
	}}
}

// A trial on its way. Like a Step it never changes.
type trial struct {
	plan Plan
	gate Gate
	end  func(best parse.Measure) *Step
}

// round runs the usual passes, the best file being this.
func (t trial) round(best parse.Measure, questions int) *Step {
	return t.passes(t.plan.Usual, best, questions, func(after parse.Measure, questions int) *Step {
		if questions > 0 && after.Less(best) {
			return t.round(after, questions)
		}
		return t.end(after)
	})
}

// passes runs the passes one after the other.
func (t trial) passes(passes []Pass, best parse.Measure, questions int, then func(parse.Measure, int) *Step) *Step {
	if len(passes) == 0 || questions <= 0 {
		return then(best, questions)
	}
	tree, err := t.plan.Parse(best.File)
	if err != nil || passes[0].When != Rounds {
		return t.passes(passes[1:], best, questions, then)
	}
	best.Tokens = parse.Whole(tree).Weight()
	start := passes[0].Search(tree, t.gate, t.plan)
	return follow(start, progress{best: best, questions: questions}, true, func(p progress, end any) *Step {
		t := t
		if learned, ok := end.(rounds.Policy); ok {
			t.plan.Policy = learned
		}
		return t.passes(passes[1:], p.best, p.questions, then)
	})
}

// A progress is what a search that is followed has come to.
type progress struct {
	best      parse.Measure
	questions int  // that may still be asked
	plainer   bool // what is interesting is the best, as in a pass that is Plainer
}

// told is the progress after an answer.
func (p progress) told(c *parse.Candidate, o algo.Outcome) progress {
	p.questions--
	if m := c.Measure(); o == algo.Interesting && (p.plainer || m.Less(p.best)) {
		p.best = m
	}
	return p
}

// follow follows a search to its end, or, if it is bounded, until its questions are
// used up, and goes on with then, which gets its end.
func follow(s *Step, p progress, bounded bool, then func(p progress, end any) *Step) *Step {
	switch {
	case s == nil || bounded && p.questions <= 0:
		return then(p, nil)
	case s.Ended():
		return then(p, s.End)
	case s.Fork != nil:
		return followFork(s, p, func(after progress, ends []any) *Step {
			return follow(s.Join(ends), after, bounded, then)
		})
	}
	step := &Step{Candidate: s.Candidate, About: s.About, Chance: s.Chance, Plainer: p.plainer}
	step.Next = func(o algo.Outcome) *Step { return follow(s.Next(o), p.told(s.Candidate, o), bounded, then) }
	return step
}

// followFork follows all parts of a fork to their ends, for its Join wants these.
func followFork(s *Step, p progress, join func(after progress, ends []any) *Step) *Step {
	type end struct {
		progress
		own any
	}
	parts := make([]func() *Step, len(s.Fork))
	for i, part := range s.Fork {
		parts[i] = func() *Step {
			return follow(part(), p, false, func(p progress, own any) *Step { return &Step{End: end{p, own}} })
		}
	}
	return &Step{Fork: parts, Join: func(ends []any) *Step {
		after, own := p, make([]any, len(ends))
		for i := range ends {
			part := ends[i].(end)
			own[i] = part.own
			after.questions -= p.questions - part.questions
			if part.best.Less(after.best) {
				after.best = part.best
			}
		}
		return join(after, own)
	}}
}
