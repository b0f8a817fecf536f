package failure

import (
	"strings"
	"testing"

	"whittle/internal/failure/script"
)

// Patterns of known.txt mean the same to grep. Each has a literal or needs another line, for
// speed.
func TestKnown(t *testing.T) {
	table := known()
	if len(table.crashes) < 80 {
		t.Errorf("only %d rules", len(table.crashes))
	}
	for _, r := range table.crashes {
		checkPattern(t, &r.line)
		for i := range r.related {
			checkPattern(t, &r.related[i].pattern)
		}
		if r.where != "above" && r.where != "directly" && r.where != "close" && len(r.related) == 0 && len(r.line.literal) < 3 {
			t.Errorf("%s is tried on any line", r.line.regexp)
		}
		if r.mayShow("a.c:1:2: error: 'x' undeclared") {
			t.Errorf("%s is tried on a plain error", r.line.regexp)
		}
	}
	for _, section := range []string{"findings", "messages"} {
		for i := range table.patterns[section] {
			checkPattern(t, &table.patterns[section][i])
		}
	}
	for _, s := range table.stacks {
		for i := range s.frames {
			checkPattern(t, &s.frames[i])
		}
	}
}

func checkPattern(t *testing.T, p *pattern) {
	t.Helper()
	source := strings.ReplaceAll(p.regexp.String(), "(?:", "(")
	if extended, err := script.Extended(p.regexp); err != nil || extended != source {
		t.Errorf("%s is %s for grep, %v", source, extended, err)
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"kind crash\n\tx {nothing}\n":          "known.txt:2: unknown group {nothing}",
		"kind crash\n\tx(\n":                   "known.txt:2: error parsing regexp: missing closing ): `x(`",
		"kind crash\n\tx\n\t\tbelow nothing\n": `known.txt:3: unknown stack "nothing"`,
		"kind crash\n\tx\n\t\tbeside x\n":      `known.txt:3: "beside" is none of +, only, ?, next, then, after, under, below, directly, near, close, above, both, often, callers`,
		"stack s\n\tframes x\n":                `known.txt:2: "frames" is none of frame, else, skip and behind`,
		"sort\n\tx\n":                          `known.txt:1: unknown section "sort"`,
		"kind crash\n\t\tbelow x\n":            `known.txt:2: "below x" has no line above that it belongs to`,
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
