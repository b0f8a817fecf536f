package g4

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a position in a grammar file. Line and Column count from 1, columns in characters.
type Pos struct {
	File         string
	Line, Column int
}

// Problem is an error or warning about a grammar file.
type Problem struct {
	Pos
	Text string
}

// Problems are sorted by position.
type Problems []Problem

// String returns the position as in "a/b.g4:3:14".
func (p Pos) String() string {
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// String returns the position and the text.
func (p Problem) String() string {
	return p.Pos.String() + ": " + p.Text
}

// Error returns all problems, one per line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// sorted also drops repetitions.
func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(p)
}

func (p *Problems) add(at Pos, format string, args ...any) {
	*p = append(*p, Problem{at, fmt.Sprintf(format, args...)})
}
