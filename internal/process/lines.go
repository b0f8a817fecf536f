package process

import (
	"bytes"
	"regexp"
	"sync"
)

// lineLimit is the length to which lines are truncated, in bytes.
const lineLimit = 4 << 10

// A Counter counts the lines written to it that match each of several patterns. It sees the first
// 4 KiB of a line. It may be used from several goroutines at once.
type Counter struct {
	patterns []*regexp.Regexp
	mu       sync.Mutex
	line     []byte // unfinished
	counts   []int
}

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

// end counts a complete line.
func (c *Counter) end() {
	line := bytes.TrimSuffix(c.line, []byte("\r"))
	for i, pattern := range c.patterns {
		if pattern.Match(line) {
			c.counts[i]++
		}
	}
	c.line = c.line[:0]
}

// Counts returns the number of matching lines for each pattern. The Counter must not be written
// to afterwards.
func (c *Counter) Counts() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.line) > 0 {
		c.end()
	}
	return c.counts
}
