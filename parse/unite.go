package parse

import (
	"bytes"
	"iter"
	"slices"
)

// Unite returns the candidate with the changes of two candidates of one tree, or false if they change a token
// differently. Insertions are lost if the other deletes their carrier.
func (c *Candidate) Unite(other *Candidate) (both *Candidate, fit bool) {
	both = &Candidate{tree: c.tree, live: slices.Clone(c.live)}
	for w := range both.live {
		both.live[w] &= other.live[w]
	}
	fit = true
	both.changes = mergeChanges(c.changes, other.changes, func(a, b change) change {
		if a.lexemes == nil {
			a.lexemes = b.lexemes
		} else if b.lexemes != nil {
			fit = fit && slices.EqualFunc(a.lexemes, b.lexemes, lexeme.equal)
		}
		if a.gap == nil {
			a.gap = b.gap
		}
		return a
	})
	if !fit {
		return nil, false
	}
	return both.counted(), true
}

func (l lexeme) equal(m lexeme) bool {
	return l.weight == m.weight && bytes.Equal(l.gap, m.gap) && bytes.Equal(l.text, m.text)
}

// Crosses reports whether two candidates share a deletion, and each has one of its own.
func (c *Candidate) Crosses(other *Candidate) bool {
	common, ours, theirs := false, false, false
	all := allLive(len(c.tree.Tokens))
	for w, a := range c.live {
		b := other.live[w]
		common = common || all[w]&^(a|b) != 0
		ours = ours || b&^a != 0
		theirs = theirs || a&^b != 0
	}
	return common && ours && theirs
}

// Gone returns the indexes of the tokens that are not live.
func (c *Candidate) Gone() iter.Seq[int] {
	return func(yield func(int) bool) {
		n := len(c.tree.Tokens)
		for i := c.live.gone(0, n); i < n && yield(i); i = c.live.gone(i+1, n) {
		}
	}
}

// Lean returns c without the text that Render caches.
func (c *Candidate) Lean() *Candidate {
	lean := *c
	lean.text = nil
	return &lean
}
