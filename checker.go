package whittle

import (
	"crypto/sha256"
	"sync"

	"whittle/parse"
)

// checker counts the syntax errors of texts and remembers them: the surroundings
// of a change are often the same while other parts of the file change.
type checker struct {
	language parse.Language
	mu       sync.Mutex
	known    map[[16]byte]int32
}

// checked is how many texts are remembered, in about 3 MB.
const checked = 1 << 16

func (c *checker) errors(text []byte) int {
	sum := sha256.Sum256(text)
	key := [16]byte(sum[:16])
	c.mu.Lock()
	n, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return int(n)
	}
	n = int32(c.language.Errors(text))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= checked {
		c.known = map[[16]byte]int32{}
	}
	c.known[key] = n
	return int(n)
}
