package pass

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// Sequence returns a pass that runs others one after the other as one search, so that a parallel search can look ahead
// into the next pass. No pass may be [Pass.Late].
func Sequence(name string, passes ...Pass) Pass {
	return Pass{Name: name, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		return plan.sequence(gate, passes, parse.Whole(t).Measure())
	}}
}

func (p Plan) sequence(gate Gate, passes []Pass, best parse.Measure) *Step {
	if len(passes) == 0 {
		return &Step{End: p.Policy}
	}
	tree, err := p.Parse(best.File)
	if err != nil {
		return &Step{End: p.Policy}
	}
	best.Tokens = parse.Whole(tree).Weight()
	f := follower{plainer: passes[0].Plainer}
	return f.follow(passes[0].Search(tree, gate, p), best, func(best parse.Measure, end any) *Step {
		p := p
		if learned, ok := end.(rounds.Policy); ok {
			p.Policy = learned
		}
		return p.sequence(gate, passes[1:], best)
	})
}

// A follower tracks the best file along a search.
type follower struct {
	plainer bool // see Pass.Plainer
}

// follow runs a search to its end and continues with then.
func (f follower) follow(s *Step, best parse.Measure, then func(best parse.Measure, end any) *Step) *Step {
	switch {
	case s == nil:
		return then(best, nil)
	case s.Ended():
		return then(best, s.End)
	case s.Fork != nil:
		return f.fork(s, best, func(best parse.Measure, ends []any) *Step {
			return f.follow(s.Join(ends), best, then)
		})
	}
	step := &Step{Candidate: s.Candidate, About: s.About, Chance: s.Chance, Plainer: f.plainer}
	step.Next = func(o algo.Outcome) *Step {
		best := best
		if m := s.Candidate.Measure(); o == algo.Interesting && (f.plainer || m.Less(best)) {
			best = m
		}
		return f.follow(s.Next(o), best, then)
	}
	return step
}

// fork follows all parts of a fork to their ends, which Join needs.
func (f follower) fork(s *Step, best parse.Measure, join func(best parse.Measure, ends []any) *Step) *Step {
	type end struct {
		best parse.Measure
		own  any
	}
	parts := make([]func() *Step, len(s.Fork))
	for i, part := range s.Fork {
		parts[i] = func() *Step {
			return f.follow(part(), best, func(best parse.Measure, own any) *Step { return &Step{End: end{best, own}} })
		}
	}
	return &Step{Fork: parts, Join: func(ends []any) *Step {
		best, own := best, make([]any, len(ends))
		for i := range ends {
			part := ends[i].(end)
			own[i] = part.own
			if part.best.Less(best) {
				best = part.best
			}
		}
		return join(best, own)
	}}
}
