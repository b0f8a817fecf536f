package parse

import (
	"bytes"
	"cmp"
)

// A Measure says how good a file is: the fewer tokens it has the better; then the
// fewer bytes; then the simpler its text is: the less of it is not white space, then
// the earlier it comes in the order of bytes, so 0 is simpler than 1, and a than b.
//
// Measures of files that one language has read are well-ordered: there are only so
// many that are less than one.
type Measure struct {
	Tokens int
	File   []byte
}

// Measure returns the measure of c as it is, which need not be that of what its
// bytes are read as.
func (c *Candidate) Measure() Measure { return Measure{c.Weight(), c.Render()} }

// Less reports whether m is better than other. A file is no better than itself,
// however many tokens it is taken for.
func (m Measure) Less(other Measure) bool {
	if bytes.Equal(m.File, other.File) {
		return false
	}
	if c := cmp.Or(cmp.Compare(m.Tokens, other.Tokens), cmp.Compare(len(m.File), len(other.File))); c != 0 {
		return c < 0 // without a look at the text, as nearly always
	}
	return cmp.Or(cmp.Compare(dark(m.File), dark(other.File)), bytes.Compare(m.File, other.File)) < 0
}

// dark counts the bytes that are not white space.
func dark(text []byte) (n int) {
	for _, b := range text {
		if b > ' ' {
			n++
		}
	}
	return n
}
