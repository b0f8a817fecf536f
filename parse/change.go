package parse

import (
	"bytes"
	"iter"
	"sort"
)

// TextOf returns the text of a leaf.
func (c *Candidate) TextOf(n int32) []byte { return c.tokenText(int(c.tree.Nodes[n].First)) }

func (c *Candidate) tokenText(i int) []byte {
	ch := c.changeOf(i)
	if ch.lexemes == nil {
		return c.tree.text(i)
	}
	return c.appendLexemes(nil, ch)
}

func (c *Candidate) firstText(i int) []byte {
	ch := c.changeOf(i)
	return c.lexemesOf(i, &ch)[0].text
}

func (c *Candidate) lastText(i int) []byte {
	ch := c.changeOf(i)
	lexemes := c.lexemesOf(i, &ch)
	return lexemes[len(lexemes)-1].text
}

func (c *Candidate) appendLexemes(text []byte, ch change) []byte {
	for k, l := range ch.lexemes {
		if k > 0 {
			text = append(text, l.gap...)
			if len(l.gap) == 0 && !l.joined && c.tree.fuses(ch.token, ch.lexemes[k-1].text, l.text) {
				text = append(text, ' ')
			}
		}
		text = append(text, l.text...)
	}
	return text
}

func (c *Candidate) changeOf(i int) change {
	k := c.changesFrom(i)
	if k < len(c.changes) && c.changes[k].token == i {
		return c.changes[k]
	}
	return change{token: i}
}

func (c *Candidate) changesFrom(i int) int {
	return sort.Search(len(c.changes), func(k int) bool { return c.changes[k].token >= i })
}

// Edited returns the live tokens with another text than in the tree, and this text.
func (c *Candidate) Edited() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for _, ch := range c.changes {
			if ch.lexemes != nil && c.live.has(ch.token) && !yield(ch.token, c.tokenText(ch.token)) {
				return
			}
		}
	}
}

// gapOf ignores deleted tokens before i.
func (c *Candidate) gapOf(i int) []byte {
	if ch := c.changeOf(i); ch.gap != nil {
		return ch.gap
	}
	return c.tree.gap(i)
}

func (c *Candidate) indentAt(i int) []byte {
	for from := c.tree.fileStart(i); i >= from; i-- {
		if !c.live.has(i) {
			continue
		}
		gap := c.gapOf(i)
		if line := bytes.LastIndexByte(gap, '\n'); line >= 0 {
			return gap[line+1:]
		}
	}
	return nil
}

// mergeChanges returns the changes of a and b, sorted by token. both merges two changes of a token.
func mergeChanges(a, b []change, both func(x, y change) change) []change {
	out := make([]change, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].token < b[0].token:
			out, a = append(out, a[0]), a[1:]
		case a[0].token > b[0].token:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, both(a[0], b[0])), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func later(_, y change) change { return y }

// more returns the weight that live changes in [from, to) add.
func (c *Candidate) more(from, to int) (more int) {
	for k := c.changesFrom(from); k < len(c.changes) && c.changes[k].token < to; k++ {
		ch := &c.changes[k]
		if ch.lexemes == nil || !c.live.has(ch.token) {
			continue
		}
		more -= c.tree.weight(ch.token)
		for _, l := range ch.lexemes {
			more += l.weight
		}
	}
	return more
}

// Untouched reports whether all tokens in [from, to) are live and unchanged.
func (c *Candidate) Untouched(from, to int32) bool {
	i, end := int(from), int(to)
	k := c.changesFrom(i)
	return c.live.gone(i, end) == end && (k == len(c.changes) || c.changes[k].token >= end)
}
