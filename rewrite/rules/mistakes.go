package rules

import (
	"fmt"
	"strings"
)

// A Mistake is an error in a file of rules.
type Mistake struct {
	File         string
	Line, Column int // from 1; columns in characters
	Text         string
}

func (m Mistake) Error() string { return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Text) }

// Mistakes are all errors in a file.
type Mistakes []Mistake

func (m Mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// Error returns the first mistakes, one per line.
func (m Mistakes) Error() string {
	const limit = 20
	var lines []string
	for i, one := range m {
		if i == limit {
			lines = append(lines, fmt.Sprintf("and %d more mistakes", len(m)-limit))
			break
		}
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}
