package arguments

import (
	"bytes"
	"maps"
	"slices"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Faster returns a pass that adds words and variables that may make the command faster during the
// search, one by one, if the result stays interesting. It depends on outcomes only, not on the
// clock, so it is deterministic.
func (l *List) Faster() pass.Pass {
	search := func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
		v, ok := l.Open(t.Source)
		if !ok {
			return nil
		}
		return l.add(t, v, slices.Concat(l.command.tool.Faster, l.command.tool.Variable))
	}
	return pass.Pass{Name: "faster", When: pass.First, Plainer: true, Search: search}
}

func (l *List) add(t *parse.Tree, v Invocation, words []string) *pass.Step {
	for i, w := range words {
		if slices.Contains(v.Added, w) || slices.Contains(v.command.words, w) {
			continue
		}
		with := v
		with.Added = append(slices.Clip(v.Added), w)
		return l.ask(t, with, func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting {
				return l.add(t, with, words[i+1:])
			}
			return l.add(t, v, words[i+1:])
		})
	}
	return nil
}

// Slower returns a pass that removes the additions of Faster, all at once or one by one.
func (l *List) Slower() pass.Pass {
	search := func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
		v, ok := l.Open(t.Source)
		if !ok || len(v.Added) == 0 {
			return nil
		}
		without := v
		without.Added = nil
		return l.ask(t, without, func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting || len(v.Added) == 1 {
				return nil
			}
			return l.remove(t, v, v.Added)
		})
	}
	return pass.Pass{Name: "slower", When: pass.Last, Search: search}
}

func (l *List) remove(t *parse.Tree, v Invocation, words []string) *pass.Step {
	if len(words) == 0 {
		return nil
	}
	without := v
	without.Added = slices.DeleteFunc(slices.Clone(v.Added), func(w string) bool { return w == words[0] })
	return l.ask(t, without, func(o algo.Outcome) *pass.Step {
		if o == algo.Interesting {
			return l.remove(t, without, words[1:])
		}
		return l.remove(t, v, words[1:])
	})
}

func (l *List) ask(t *parse.Tree, v Invocation, next func(algo.Outcome) *pass.Step) *pass.Step {
	return &pass.Step{Candidate: l.command.called(t, v), Next: next}
}

// called returns the tree with the words of an invocation, without parsing the file again.
func (c *Command) called(t *parse.Tree, v Invocation) *parse.Candidate {
	var edits []parse.Edit
	for n := t.Root(t.Parts[len(t.Parts)-1]); n < int32(len(t.Nodes)); n++ {
		if !t.IsLeaf(n) {
			continue
		}
		token := t.Tokens[t.Nodes[n].First]
		old := t.Source[token.Start:token.End]
		text := headOf(v.Added)
		if i, _ := c.unit(old); i >= 0 {
			text = wordOf(i, v.words[i])
		}
		if !bytes.Equal(text, old) {
			edits = append(edits, t.Replace([]int32{n}, parse.Literal("", string(text))))
		}
	}
	return parse.Whole(t).Apply(edits...)
}

// Weaker returns a pass that replaces options by the weakest possible ones, as -O3 by -O1.
func (l *List) Weaker() pass.Pass {
	search := func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
		v, ok := l.Open(t.Source)
		if !ok {
			return nil
		}
		return l.weaken(t, v, l.command.weaker(v))
	}
	return pass.Pass{Name: "weaker", When: pass.Last, Plainer: true, Search: search}
}

// A choice is a unit and its replacement.
type choice struct {
	unit   int
	option string
}

// weaker returns the choices for all units, for each the weakest option first.
func (c *Command) weaker(v Invocation) (choices []choice) {
	for i := range c.units {
		words := v.words[i]
		for _, row := range c.tool.Weaker {
			for k := len(row) - 1; k > 0 && len(words) == 1 && slices.Contains(row[:k], words[0]); k-- {
				choices = append(choices, choice{i, row[k]})
			}
		}
	}
	return choices
}

func (l *List) weaken(t *parse.Tree, v Invocation, choices []choice) *pass.Step {
	if len(choices) == 0 {
		return nil
	}
	first, rest := choices[0], choices[1:]
	with := v
	with.words = maps.Clone(v.words)
	with.words[first.unit] = []string{first.option}
	return l.ask(t, with, func(o algo.Outcome) *pass.Step {
		if o != algo.Interesting {
			return l.weaken(t, v, rest)
		}
		for len(rest) > 0 && rest[0].unit == first.unit {
			rest = rest[1:]
		}
		return l.weaken(t, with, rest)
	})
}
