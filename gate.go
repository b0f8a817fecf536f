package whittle

import (
	"sync"

	"whittle/oracle"
	"whittle/parse"
)

// A file of at most smallFile bytes is parsed whole, in well under a millisecond.
const smallFile = 8 << 10

// A file of more than largeFile bytes is not parsed before a test: parsing takes as long as a test, and interesting
// candidates are parsed anyway.
const largeFile = 128 << 10

// A context of more than largeContext bytes in a large file is not parsed either. It belongs to a change in many
// places, and the parser takes 4 ms for 16 kB. Few of these candidates have errors: six of 448 in a large C file.
const largeContext = 32 << 10

// A gate rejects candidates with more syntax errors than the input if the driver is strict. It caches the number of
// errors, since the context of a change is often the same while other parts of the file change.
type gate struct {
	strict   bool
	language parse.Language
	allowed  int // syntax errors, or Unreadable for any number
	mu       sync.Mutex
	known    map[oracle.Key]int32
}

// checked is the size of the cache, about 3 MB.
const checked = 1 << 16

// fits reports whether a candidate made from base is coherent and does not have more syntax errors than the input. In a
// large file only the context of the change is parsed, unless the context is most of it. The same is true if the
// context has errors in base already, which hide the effect of the change, and the file is at most largeFile.
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
	if len(file) > largeFile && len(surroundings) > largeContext {
		return true
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

// worse reports whether a candidate has more syntax errors than base. In large files, only the context of the change is
// parsed, unless that has errors in base already.
func (g *gate) worse(base, c *parse.Candidate) bool {
	if !g.strict || c.Tree().NoSyntax {
		return false
	}
	if file := c.Render(); len(file) > smallFile {
		nearBase, near := parse.Near(base, c)
		if len(file) > largeFile && len(near.Render()) > largeContext {
			return false
		}
		before := g.errors(nearBase.Render())
		if g.errors(near.Render()) <= before {
			return false
		}
		if before == 0 {
			return true
		}
	}
	return g.errors(c.Render()) > g.errors(base.Render())
}

func (g *gate) keepsSyntax(file []byte) bool {
	return g.allowed == parse.Unreadable || g.errors(file) <= g.allowed
}

func (g *gate) errors(text []byte) int {
	key := oracle.KeyOf(text)
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
		g.known = map[oracle.Key]int32{}
	}
	g.known[key] = n
	return int(n)
}
