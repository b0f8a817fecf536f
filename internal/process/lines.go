package process

import (
	"bytes"
	"regexp"
)

const lineLimit = 4 << 10

// A Counter counts the lines that match each of several patterns within their first 4 KiB.
type Counter struct {
	patterns []*regexp.Regexp
	line     []byte // unfinished
	counts   []int
}

func NewCounter(patterns []*regexp.Regexp) *Counter {
	return &Counter{patterns: patterns, counts: make([]int, len(patterns))}
}

func (c *Counter) Write(p []byte) (int, error) {
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

func (c *Counter) end() {
	line := bytes.TrimSuffix(c.line, []byte("\r"))
	for i, pattern := range c.patterns {
		if pattern.Match(line) {
			c.counts[i]++
		}
	}
	c.line = c.line[:0]
}

// Counts ends the use of the Counter and returns the number of lines for each pattern.
func (c *Counter) Counts() []int {
	if len(c.line) > 0 {
		c.end()
	}
	return c.counts
}
