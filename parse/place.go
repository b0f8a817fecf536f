package parse

import (
	"fmt"
	"sort"
	"strings"
)

// Finder returns a function that finds the token at a place such as "a/b.c:5:17", or -1. See [Candidate.Places].
func (c *Candidate) Finder() func(place string) int {
	places := map[string]func(line, column int) int{}
	return func(place string) int {
		var line, column int
		file, where, _ := strings.Cut(place, ":")
		if n, _ := fmt.Sscanf(where, "%d:%d", &line, &column); n == 0 {
			return -1
		}
		if places[file] == nil {
			places[file] = c.Places(file)
		}
		return places[file](line, column)
	}
}

// Places returns a func that finds the token at a place of the rendered text: the last live token that begins at or
// before a line and a column, which are from 1, or -1. Column 0 is the end of the line. In an archive, the places are
// in the file whose path has the most last names in common with file, else in the first file.
func (c *Candidate) Places(file string) func(line, column int) int {
	c = c.derive()
	from, to := 0, len(c.tree.Tokens)
	most := -1
	for i, p := range c.tree.Parts {
		head, end := c.tree.partTokens(i)
		if n := lastInCommon(p.Path, file); n > most && c.live.has(head) {
			most, from, to = n, head+1, end
		}
	}
	var tokens, starts []int
	text := c.renderFile(nil, from, to, func(token, offset int) {
		tokens, starts = append(tokens, token), append(starts, offset)
	})
	lines := []int{0}
	for i, b := range text {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	lines = append(lines, len(text)+1)
	return func(line, column int) int {
		if line < 1 || line >= len(lines) {
			return -1
		}
		offset := lines[line] - 1
		if column > 0 {
			offset = min(offset, lines[line-1]+column-1)
		}
		k := sort.SearchInts(starts, offset+1) - 1
		if k < 0 {
			return -1
		}
		return tokens[k]
	}
}

// lastInCommon counts the names at the ends of two paths that are the same.
func lastInCommon(a, b string) (n int) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(as) && n < len(bs) && as[len(as)-1-n] == bs[len(bs)-1-n] {
		n++
	}
	return n
}

// LiveToken reports whether a token is live.
func (c *Candidate) LiveToken(i int) bool { return c.live.has(i) }
