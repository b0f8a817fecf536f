package view

import (
	_ "embed"
	"strings"

	"whittle"
	"whittle/internal/changes"
)

//go:embed words.txt
var wordsText string

// Words says what a pass is trying where it asks about something of a kind.
func Words(pass, kind string) string {
	usual := pass
	for line := range strings.Lines(wordsText) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case len(fields) != 3 || fields[0] != pass:
		case fields[1] == kind:
			return fields[2]
		case fields[1] == "-":
			usual = fields[2]
		}
	}
	if pass == "rewrite" && kind != "" { // by a rule
		return "rewriting by the rule " + kind
	}
	return usual
}

// Step says what a step has done to the file, which is shown by text.
func Step(d whittle.Decision, text func(candidate []byte) []byte) string {
	kind := ""
	if d.About != nil {
		kind = d.About.Kind()
	}
	what := Words(d.Pass, kind) + ": "
	went, came := changes.Excerpt(text(d.Base), text(d.File))
	switch {
	case came == "":
		return what + went
	case went == "":
		return what + "+ " + came
	}
	return what + went + " -> " + came
}
