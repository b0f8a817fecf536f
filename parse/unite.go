package parse

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"
)

// Unite returns the candidate that has what two candidates of one tree have changed, and
// reports whether these fit together: no token is made something else by both. What one
// puts in goes where the other takes away its carrier.
func (c *Candidate) Unite(other *Candidate) (both *Candidate, fit bool) {
	both = &Candidate{tree: c.tree, live: slices.Clone(c.live)}
	for w := range both.live {
		both.live[w] &= other.live[w]
	}
	ours, theirs := c.changes, other.changes
	for len(ours) > 0 || len(theirs) > 0 {
		switch {
		case len(theirs) == 0 || len(ours) > 0 && ours[0].token < theirs[0].token:
			both.changes, ours = append(both.changes, ours[0]), ours[1:]
		case len(ours) == 0 || theirs[0].token < ours[0].token:
			both.changes, theirs = append(both.changes, theirs[0]), theirs[1:]
		default:
			a, b := ours[0], theirs[0]
			ours, theirs = ours[1:], theirs[1:]
			switch {
			case a.row == nil:
				a.row = b.row
			case b.row != nil && !slices.EqualFunc(a.row, b.row, lexeme.equal):
				return nil, false
			}
			if a.gap == nil {
				a.gap = b.gap
			}
			both.changes = append(both.changes, a)
		}
	}
	return both.counted(), true
}

func (l lexeme) equal(m lexeme) bool {
	return l.weight == m.weight && (l.text == nil) == (m.text == nil) &&
		bytes.Equal(l.gap, m.gap) && bytes.Equal(l.text, m.text)
}

// Crosses reports whether two candidates of one tree lack something in common, and each
// something that the other has.
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

// Gone goes over the numbers of the tokens that are not live.
func (c *Candidate) Gone() iter.Seq[int] {
	return func(yield func(int) bool) {
		all := allLive(len(c.tree.Tokens))
		for w, live := range c.live {
			for b := all[w] &^ live; b != 0; b &= b - 1 {
				if !yield(w*64 + bits.TrailingZeros64(b)) {
					return
				}
			}
		}
	}
}

// Lean returns c without the text that it has rendered, which may be much.
func (c *Candidate) Lean() *Candidate {
	lean := *c
	lean.text = nil
	return &lean
}
