package antlr

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// Fault is a syntax error. Line and Column count from 1, columns in characters.
type Fault struct {
	Line, Column int
	Text         string
}

// Faults returns the syntax errors of a file in order.
func (l *Language) Faults(source []byte) ([]Fault, error) {
	faults, err := l.faults(source)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(faults, func(a, b fault) int {
		return cmp.Compare(uint32(a.offset), uint32(b.offset)) // -1, the end, is last
	})
	var found []Fault
	line, from := 1, 0
	for _, f := range faults {
		at := int(f.offset)
		if at < 0 {
			at = len(source)
		}
		line += bytes.Count(source[from:at], []byte{'\n'})
		from += bytes.LastIndexByte(source[from:at], '\n') + 1
		found = append(found, Fault{line, utf8.RuneCount(source[from:at]) + 1, f.text})
	}
	return found, nil
}
