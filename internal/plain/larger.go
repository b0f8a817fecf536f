package plain

import (
	"regexp"

	"whittle/parse"
)

// natural matches digits and a suffix.
var natural = regexp.MustCompile(`^([0-9][0-9_']*)([iIlLnuUz]\w*)?$`)

// Larger returns candidates with a number ten times as large; equal numbers together, and 10 for 0. More iterations or
// a longer pause may show a race more often.
func Larger(t *parse.Tree) (larger []*parse.Candidate) {
	l, base := &literals{tree: t, symbols: symbols{tree: t}}, parse.Whole(t)
	by := layer{simpler: tenfold}
	for _, it := range l.replaced(base, by) {
		larger = append(larger, base.Apply(l.edits(base, by, nil, []spot{it})...))
	}
	return larger
}

func tenfold(text string) string {
	switch m := natural.FindStringSubmatch(text); {
	case m == nil:
		return text
	case m[1] == "0":
		return "10" + m[2]
	default:
		return m[1] + "0" + m[2]
	}
}
