package whittle

import (
	"crypto/sha256"
	"sync"

	"whittle/parse"
)

// smallFile is the size in bytes below which a file is parsed whole to count its
// errors, in well under a millisecond.
const smallFile = 8 << 10

// largeFile is the size in bytes above which a file is not parsed whole before a
// test: that takes about as long as the test, and an interesting candidate is parsed
// whole in any case.
const largeFile = 128 << 10

// A gate keeps out what is more wrong than the input, if the driver is strict. It
// remembers how many errors texts have: the surroundings of a change are often the
// same while other parts of the file change.
type gate struct {
	strict   bool
	language parse.Language
	allowed  int // errors
	mu       sync.Mutex
	known    map[[16]byte]int32
}

// checked is how many texts are remembered, in about 3 MB.
const checked = 1 << 16

// fits reports whether a candidate that was made from base has what it needs and no
// more syntax errors than the input. Of a large file only the surroundings of the
// change are parsed, unless these are most of the file, or have errors without the
// change, which say nothing of what the change does, and the file is not too large for
// that.
func (g *gate) fits(base, c *parse.Candidate) bool {
	if !g.strict {
		return true
	}
	if !c.Coherent() {
		return false
	}
	if c.Tree().NoSyntax {
		return true
	}
	file := c.Render()
	if len(file) <= smallFile {
		return g.keepsSyntax(file)
	}
	nearBase, near := parse.Near(base, c)
	surroundings := near.Render()
	if len(surroundings) > len(file)/2 {
		return g.keepsSyntax(file)
	}
	errors := g.errors(surroundings)
	if errors == 0 {
		return true
	}
	before := g.errors(nearBase.Render())
	if before > 0 && len(file) <= largeFile {
		return g.keepsSyntax(file)
	}
	return errors <= before
}

// keepsSyntax reports whether a file has no more syntax errors than the input.
func (g *gate) keepsSyntax(file []byte) bool { return g.errors(file) <= g.allowed }

// errors returns the number of syntax errors in a text.
func (g *gate) errors(text []byte) int {
	sum := sha256.Sum256(text)
	key := [16]byte(sum[:16])
	g.mu.Lock()
	n, ok := g.known[key]
	g.mu.Unlock()
	if ok {
		return int(n)
	}
	n = int32(g.language.Errors(text))
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil || len(g.known) >= checked {
		g.known = map[[16]byte]int32{}
	}
	g.known[key] = n
	return int(n)
}
