package main

import (
	"bytes"
	"fmt"
	"strconv"
)

// A table is read from the initializer of an array.
type table struct {
	numbers map[string]int // of names
	columns int            // of a row; 0 for an array of one dimension
	words   []uint16
}

// read reads lines such as
//
//	[1] = {
//	  [sym_comment] = ACTIONS(3),
//	},
//
// and, for one dimension,
//
//	[0] = 2,
//	  ACTIONS(3), 1,
//	    sym_comment,
func (t *table) read(text []byte) error {
	row, at := 0, 0
	for line := range bytes.Lines(text) {
		for item := range bytes.SplitSeq(line, []byte(",")) {
			item = bytes.TrimSpace(item)
			if rest, ok := bytes.CutPrefix(item, []byte("[")); ok {
				index, value, found := bytes.Cut(rest, []byte("] = "))
				i, err := t.number(index)
				if !found || err != nil {
					return fmt.Errorf("%q: %v", item, err)
				}
				if item, at = value, row+i; string(value) == "{" {
					row, item = i*t.columns, nil
				}
			}
			if len(item) == 0 || string(item) == "}" {
				continue
			}
			n, err := t.number(item)
			if err != nil {
				return err
			}
			for at >= len(t.words) && t.columns == 0 {
				t.words = append(t.words, 0)
			}
			t.words[at] = uint16(n)
			at++
		}
	}
	return nil
}

// number returns the value of a number, a name, or a number in a macro, as in STATE(3).
func (t *table) number(text []byte) (int, error) {
	if _, inside, ok := bytes.Cut(text, []byte("(")); ok {
		text = bytes.TrimSuffix(inside, []byte(")"))
	}
	if n, known := t.numbers[string(text)]; known {
		return n, nil
	}
	return strconv.Atoi(string(text))
}
