package parse

import (
	"bytes"
	"cmp"
)

// A Measure says how good a file is. Fewer tokens are better, then fewer bytes, then fewer non-space bytes, then the
// lesser text. It is a well-order.
type Measure struct {
	Tokens int
	File   []byte
}

// Measure returns the measure of c, with the tokens that [Tree.Derive] adds. Its bytes may parse as another number of
// tokens.
func (c *Candidate) Measure() Measure {
	text := c.Render()
	return Measure{c.weight + c.derived, text}
}

// Less reports whether m is better. A file is not better than itself, even if the counts differ.
func (m Measure) Less(other Measure) bool {
	if bytes.Equal(m.File, other.File) {
		return false
	}
	if c := cmp.Or(cmp.Compare(m.Tokens, other.Tokens), cmp.Compare(len(m.File), len(other.File))); c != 0 {
		return c < 0 // avoids reading the text
	}
	return cmp.Or(cmp.Compare(nonSpace(m.File), nonSpace(other.File)), bytes.Compare(m.File, other.File)) < 0
}

func nonSpace(text []byte) (n int) {
	for _, b := range text {
		if b > ' ' {
			n++
		}
	}
	return n
}
