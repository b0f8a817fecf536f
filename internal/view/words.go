package view

import (
	_ "embed"
	"strings"

	"whittle"
	"whittle/internal/diff"
)

//go:embed words.txt
var wordsText string

// Words describes a pass's work on a kind of question.
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
	if pass == "rewrite" && kind != "" {
		return "rewriting by the rule " + kind
	}
	return usual
}

// Step describes an accepted change.
func Step(d whittle.Decision, text func(candidate []byte) []byte) string {
	kind := ""
	if d.About != nil {
		kind = d.About.Kind()
	}
	what := Words(d.Pass, kind) + ": "
	went, came := diff.Excerpt(text(d.Base), text(d.File))
	switch {
	case came == "":
		return what + went
	case went == "":
		return what + "+ " + came
	}
	return what + went + " -> " + came
}
