package rulefiles

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"whittle/parse"
	"whittle/rewrite/rules"
)

// List writes rules with their files, lines and reasons.
func List(w io.Writer, set *rules.Set) error {
	why := ""
	var err error
	for _, r := range set.Rules {
		if r.Why != why {
			why = r.Why
			if _, err = fmt.Fprintf(w, "\n# %s\n", why); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(w, "%s:%d: %v\n", r.File, r.Line, r)
	}
	return err
}

// Show writes the matches of rules in a file and their replacements. It returns the number of
// matches.
func Show(w io.Writer, set *rules.Set, l parse.Language, file string, text []byte) (matches int, err error) {
	tree, err := l.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	find := set.In(l)
	for i, r := range set.Rules {
		found := find.Matches(i, tree)
		matches += len(found)
		if len(found) == 0 {
			_, err = fmt.Fprintf(w, "%s:%d: matches nothing: %s\n", r.File, r.Line, r.Pattern)
		}
		for _, m := range found {
			before, after := m.Texts(tree)
			at := tree.Tokens[tree.Nodes[m.Siblings[0]].First].Start
			note := ""
			if l.Errors(parse.Whole(tree).Apply(m.Edits...).Drop(m.Drop...).Render()) > tree.Errors {
				note = "   (a syntax error)"
			}
			_, err = fmt.Fprintf(w, "%s:%s: %s:%d: %s   =>   %s%s\n", file, place(text, int(at)), r.File, r.Line,
				oneLine(before), oneLine(after), note)
		}
	}
	return matches, err
}

func place(text []byte, at int) string {
	line := bytes.Count(text[:at], []byte("\n")) + 1
	begin := bytes.LastIndexByte(text[:at], '\n') + 1
	return fmt.Sprintf("%d:%d", line, utf8.RuneCount(text[begin:at])+1)
}

func oneLine(text string) string {
	const most = 70
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most/2]) + " … " + string(line[len(line)-most/2:])
	}
	return string(line)
}
