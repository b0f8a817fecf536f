package rules

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

type side struct {
	atoms  []atom
	at     int
	column int // of at, from 1
}

type atom struct {
	name string // "" for text
	many bool
	text string
	at   int // of a metavariable
}

func (a atom) String() string {
	switch {
	case a.name == "":
		return a.text
	case a.many:
		return "$$$" + a.name
	}
	return "$" + a.name
}

func (s side) String() string {
	var b strings.Builder
	for _, a := range s.atoms {
		b.WriteString(strings.ReplaceAll(a.String(), "\n", ` \n `))
	}
	return b.String()
}

// special matches line breaks, escape sequences and metavariables. The word \n is a line break. $Name and $name are
// ordinary text.
var special = regexp.MustCompile(`[ \t]+((?:\\n [ \t]*)+)|\\(=>|\||\$)|\$(\$\$)?([A-Z_][A-Z0-9_]*)([a-z]?)`)

func newSide(line string, from, to int) side {
	text := strings.TrimLeftFunc(line[from:to], isBlank)
	from = to - len(text)
	text = strings.TrimRightFunc(text, isBlank)
	s := side{at: from, column: columnOf(line, from)}
	literal, last := "", 0
	flush := func() {
		if literal != "" {
			s.atoms = append(s.atoms, atom{text: literal})
			literal = ""
		}
	}
	for _, at := range special.FindAllStringSubmatchIndex(text, -1) {
		found := special.FindStringSubmatch(text[at[0]:at[1]])
		literal += text[last:at[0]]
		last = at[1]
		switch breaks, escaped, name, lower := found[1], found[2], found[4], found[5]; {
		case breaks != "":
			literal += strings.Repeat("\n", strings.Count(breaks, `\n`))
		case escaped != "":
			literal += escaped
		case lower != "":
			literal += found[0]
		default:
			flush()
			s.atoms = append(s.atoms, atom{name: name, many: found[3] != "", at: from + at[0]})
		}
	}
	literal += text[last:]
	flush()
	return s
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

var isName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`).MatchString

// stem returns the name without final digits, which selects its holes.
func stem(name string) string { return strings.TrimRight(name, "0123456789") }

func columnOf(line string, at int) int { return utf8.RuneCountInString(line[:at]) + 1 }
