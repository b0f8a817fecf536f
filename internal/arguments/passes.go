package arguments

import (
	"maps"
	"slices"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Faster is a pass that adds words and variables which may make the command faster, as far
// as what it is about stays interesting, one after the other: for the time of the search.
// The outcome decides, not the clock, so it is the same each time.
func (l *List) Faster() pass.Pass {
	search := func(t *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
		v, ok := l.Open(t.Source)
		if !ok {
			return nil
		}
		return l.add(v, plan, slices.Concat(l.command.tool.faster, l.command.tool.variable))
	}
	return pass.Pass{Name: "faster", When: pass.First, Plainer: true, Search: search}
}

func (l *List) add(v Invocation, plan pass.Plan, words []string) *pass.Step {
	for i, w := range words {
		if slices.Contains(v.Added, w) || slices.Contains(v.command.words, w) {
			continue
		}
		with := v
		with.Added = append(slices.Clip(v.Added), w)
		return l.ask(with, plan, func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting {
				return l.add(with, plan, words[i+1:])
			}
			return l.add(v, plan, words[i+1:])
		})
	}
	return nil
}

// Slower is a pass that takes what Faster has added away again: all, or what may go.
func (l *List) Slower() pass.Pass {
	search := func(t *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
		v, ok := l.Open(t.Source)
		if !ok || len(v.Added) == 0 {
			return nil
		}
		without := v
		without.Added = nil
		return l.ask(without, plan, func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting || len(v.Added) == 1 {
				return nil
			}
			return l.remove(v, plan, v.Added)
		})
	}
	return pass.Pass{Name: "slower", When: pass.Last, Search: search}
}

// remove takes those of the words away that may go.
func (l *List) remove(v Invocation, plan pass.Plan, words []string) *pass.Step {
	if len(words) == 0 {
		return nil
	}
	without := v
	without.Added = slices.DeleteFunc(slices.Clone(v.Added), func(w string) bool { return w == words[0] })
	return l.ask(without, plan, func(o algo.Outcome) *pass.Step {
		if o == algo.Interesting {
			return l.remove(without, plan, words[1:])
		}
		return l.remove(v, plan, words[1:])
	})
}

// ask asks about an invocation.
func (l *List) ask(v Invocation, plan pass.Plan, next func(algo.Outcome) *pass.Step) *pass.Step {
	t, err := plan.Parse(l.Close(v))
	if err != nil {
		return nil
	}
	return &pass.Step{Candidate: parse.Whole(t), Next: next}
}

// Weaker is a pass that puts the weakest option in the place of one that may, as -O1 for
// -O3.
func (l *List) Weaker() pass.Pass {
	search := func(t *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
		v, ok := l.Open(t.Source)
		if !ok {
			return nil
		}
		return l.weaken(v, plan, l.command.weaker(v))
	}
	return pass.Pass{Name: "weaker", When: pass.Last, Plainer: true, Search: search}
}

// A choice is a unit and what may be one of its words.
type choice struct {
	unit   int
	option string
}

// weaker returns the choices that there are, of each unit the weakest first.
func (c *Command) weaker(v Invocation) (choices []choice) {
	for i := range c.units {
		words := v.words[i]
		for _, row := range c.tool.weaker {
			for k := len(row) - 1; k > 0 && len(words) == 1 && slices.Contains(row[:k], words[0]); k-- {
				choices = append(choices, choice{i, row[k]})
			}
		}
	}
	return choices
}

func (l *List) weaken(v Invocation, plan pass.Plan, choices []choice) *pass.Step {
	if len(choices) == 0 {
		return nil
	}
	first, rest := choices[0], choices[1:]
	with := v
	with.words = maps.Clone(v.words)
	with.words[first.unit] = []string{first.option}
	return l.ask(with, plan, func(o algo.Outcome) *pass.Step {
		if o != algo.Interesting {
			return l.weaken(v, plan, rest)
		}
		for len(rest) > 0 && rest[0].unit == first.unit {
			rest = rest[1:]
		}
		return l.weaken(with, plan, rest)
	})
}
