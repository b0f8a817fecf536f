package rules

import (
	"fmt"
	"strings"
)

// A Mistake is what is wrong in a file of rules.
type Mistake struct {
	File         string
	Line, Column int // from 1; the column in characters
	Text         string
}

func (m Mistake) Error() string { return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Text) }

// Mistakes are all that is wrong in a file.
type Mistakes []Mistake

// err returns the mistakes as an error, nil if there are none.
func (m Mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// Error has the first of the mistakes, a line each.
func (m Mistakes) Error() string {
	const most = 20
	var lines []string
	for i, one := range m {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more mistakes", len(m)-most))
			break
		}
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}
