// Package facts reads texts in which something is written down about things, as tools of a
// kind: the thing at the margin, and below it, indented, a field and its value to a line.
// A line that begins with # says nothing.
package facts

import (
	"fmt"
	"strings"
)

// Read calls thing for each line at the margin, and field for each below it. The name of the
// text is for errors, which say the line.
func Read(name, text string, thing func(line string), field func(name, value string) error) error {
	number, none := 0, true
	for line := range strings.Lines(text) {
		number++
		said := strings.TrimSpace(line)
		switch {
		case said == "" || said[0] == '#':
			continue
		case line[0] != ' ' && line[0] != '\t':
			none = false
			thing(said)
			continue
		case none:
			return fmt.Errorf("%s:%d: %s is of nothing", name, number, said)
		}
		of, value, _ := strings.Cut(said, " ")
		if err := field(of, strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	return nil
}

// Must returns what was read of a text that is a part of the program; a mistake in it is one
// of the program, which its tests find.
func Must[T any](what T, err error) T {
	if err != nil {
		panic(err)
	}
	return what
}
