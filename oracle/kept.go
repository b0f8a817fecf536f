package oracle

import (
	"bytes"

	"whittle/algo"
)

// Hold reports whether the criteria hold for a run with kept output, by the kept part.
func (c *Criteria) Hold(r Run) bool {
	r.Matched = c.Output != nil && c.Output.Match(r.Output)
	r.Counts = make([]int, len(c.Lines))
	for line := range bytes.Lines(r.Output) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		for i := range c.Lines {
			if c.Lines[i].Pattern.Match(line) {
				r.Counts[i]++
			}
		}
	}
	return c.Judge(&r) == algo.Interesting
}
