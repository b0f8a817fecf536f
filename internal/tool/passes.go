package tool

import (
	"bytes"
	"maps"
	"slices"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Faster returns a pass that adds words and variables that may make the command faster, one by one, if
// the result stays interesting. It does not measure time, so it is deterministic.
func (l *Arguments) Faster() pass.Pass {
	words := slices.Concat(l.command.tool.Faster, l.command.tool.Variable)
	p := pass.Pass{Name: "faster", When: pass.First, Plainer: true}
	return l.pass(p, func(t *parse.Tree, v Invocation) *pass.Step {
		return l.each(t, v, len(words), func(v Invocation, i int) (Invocation, bool) {
			known := slices.Contains(v.Added, words[i]) || slices.Contains(v.command.words, words[i])
			v.Added = append(slices.Clip(v.Added), words[i])
			return v, !known
		})
	})
}

// Slower returns a pass that removes the additions of Faster, all at once or one by one.
func (l *Arguments) Slower() pass.Pass {
	return l.pass(pass.Pass{Name: "slower", When: pass.Last}, func(t *parse.Tree, v Invocation) *pass.Step {
		if len(v.Added) == 0 {
			return nil
		}
		words, without := v.Added, v
		without.Added = nil
		return &pass.Step{Candidate: l.command.called(t, without), Next: func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting || len(words) == 1 {
				return nil
			}
			return l.each(t, v, len(words), func(v Invocation, i int) (Invocation, bool) {
				v.Added = slices.DeleteFunc(slices.Clone(v.Added), func(w string) bool { return w == words[i] })
				return v, true
			})
		}}
	})
}

// pass returns p with a search that begins with the invocation of a tree.
func (l *Arguments) pass(p pass.Pass, search func(*parse.Tree, Invocation) *pass.Step) pass.Pass {
	p.Search = func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
		if v, ok := l.Open(t.Source); ok {
			return search(t, v)
		}
		return nil
	}
	return p
}

// each tries n changes of an invocation one by one, and keeps the interesting ones. change reports
// false for a change to skip.
func (l *Arguments) each(
	t *parse.Tree, v Invocation, n int, change func(v Invocation, i int) (Invocation, bool),
) *pass.Step {
	var from func(v Invocation, i int) *pass.Step
	from = func(v Invocation, i int) *pass.Step {
		for ; i < n; i++ {
			if with, ok := change(v, i); ok {
				return &pass.Step{Candidate: l.command.called(t, with), Next: func(o algo.Outcome) *pass.Step {
					if o == algo.Interesting {
						return from(with, i+1)
					}
					return from(v, i+1)
				}}
			}
		}
		return nil
	}
	return from(v, 0)
}

// called returns the tree with the words of an invocation, without parsing the file again.
func (c *Reducible) called(t *parse.Tree, v Invocation) *parse.Candidate {
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
func (l *Arguments) Weaker() pass.Pass {
	return l.pass(pass.Pass{Name: "weaker", When: pass.Last, Plainer: true}, func(t *parse.Tree, v Invocation) *pass.Step {
		type choice struct {
			unit   int
			option string
		}
		var choices []choice // for each unit, the weakest option first
		for i := range l.command.units {
			words := v.words[i]
			for _, options := range l.command.tool.Weaker {
				for k := len(options) - 1; k > 0 && len(words) == 1 && slices.Contains(options[:k], words[0]); k-- {
					choices = append(choices, choice{i, options[k]})
				}
			}
		}
		return l.each(t, v, len(choices), func(with Invocation, i int) (Invocation, bool) {
			c := choices[i]
			if !slices.Equal(with.words[c.unit], v.words[c.unit]) {
				return with, false
			}
			with.words = maps.Clone(with.words)
			with.words[c.unit] = []string{c.option}
			return with, true
		})
	})
}
