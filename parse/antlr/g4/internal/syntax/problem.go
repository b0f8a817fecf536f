package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a grammar file; Line counts from 1, Column from 1 in
// characters.
type Pos struct {
	File         string
	Line, Column int
}

// Problem is something wrong in a grammar file.
type Problem struct {
	Pos
	Text string
}

// Problems are all that is wrong with a grammar, by place.
type Problems []Problem

// String returns the place as tools print it, as in "a/b.g4:3:14".
func (p Pos) String() string {
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// String returns the place and what is wrong there.
func (p Problem) String() string {
	return p.Pos.String() + ": " + p.Text
}

// Error returns all problems, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// Sorted returns the problems by place, each once.
func (p Problems) Sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(p)
}

// Add adds a problem.
func (p *Problems) Add(at Pos, format string, args ...any) {
	*p = append(*p, Problem{at, fmt.Sprintf(format, args...)})
}
