package process

import (
	"bytes"
	"regexp"
	"sync"
)

// lineLimit is how many bytes of a line are looked at.
const lineLimit = 4 << 10

// A Counter counts, of the lines that are written to it, how many match each of
// some patterns. Of a long line it sees the first 4 KiB. It may be used from several
// goroutines at once.
type Counter struct {
	patterns []*regexp.Regexp
	mu       sync.Mutex
	line     []byte // that has no end yet
	counts   []int
}

// NewCounter returns a Counter of lines that match these patterns.
func NewCounter(patterns []*regexp.Regexp) *Counter {
	return &Counter{patterns: patterns, counts: make([]int, len(patterns))}
}

func (c *Counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		c.line = append(c.line, line[:min(len(line), lineLimit-len(c.line))]...)
		if p = rest; ended {
			c.end()
		}
	}
	return n, nil
}

// end counts a line that is whole.
func (c *Counter) end() {
	line := bytes.TrimSuffix(c.line, []byte("\r"))
	for i, pattern := range c.patterns {
		if pattern.Match(line) {
			c.counts[i]++
		}
	}
	c.line = c.line[:0]
}

// Counts returns how many lines matched each pattern. There comes no more.
func (c *Counter) Counts() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.line) > 0 {
		c.end()
	}
	return c.counts
}
