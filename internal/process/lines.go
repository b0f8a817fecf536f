package process

import (
	"bytes"
	"regexp"
)

const lineLimit = 4 << 10

// lines cuts an output into lines.
type lines struct{ unfinished []byte }

// write gives each line, without its end and at most its first 4 KiB, to take.
func (l *lines) write(p []byte, take func(line []byte)) {
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		l.unfinished = append(l.unfinished, line[:min(len(line), lineLimit-len(l.unfinished))]...)
		if p = rest; ended {
			take(bytes.TrimSuffix(l.unfinished, []byte("\r")))
			l.unfinished = l.unfinished[:0]
		}
	}
}

func (l *lines) end(take func(line []byte)) {
	if len(l.unfinished) > 0 {
		take(bytes.TrimSuffix(l.unfinished, []byte("\r")))
		l.unfinished = l.unfinished[:0]
	}
}

// A Counter counts the lines that match each of several patterns within their first 4 KiB.
type Counter struct {
	patterns []*regexp.Regexp
	lines    lines
	counts   []int
}

func NewCounter(patterns []*regexp.Regexp) *Counter {
	return &Counter{patterns: patterns, counts: make([]int, len(patterns))}
}

func (c *Counter) Write(p []byte) (int, error) {
	c.lines.write(p, c.count)
	return len(p), nil
}

func (c *Counter) count(line []byte) {
	for i, pattern := range c.patterns {
		if pattern.Match(line) {
			c.counts[i]++
		}
	}
}

// Counts ends the use of the Counter and returns the number of lines for each pattern.
func (c *Counter) Counts() []int {
	c.lines.end(c.count)
	return c.counts
}
