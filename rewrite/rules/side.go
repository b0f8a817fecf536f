package rules

import (
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

func newSide(line string, from, to int) side {
	text := strings.TrimLeftFunc(line[from:to], isBlank)
	from = to - len(text)
	text = strings.TrimRightFunc(text, isBlank)
	s := side{at: from, column: columnOf(line, from)}
	literal := ""
	flush := func() {
		if literal != "" {
			s.atoms = append(s.atoms, atom{text: literal})
			literal = ""
		}
	}
	for i, n := 0, 0; i < len(text); i += n {
		var a atom
		if n = lineBreak(text, i); n > 0 {
			literal = strings.TrimRightFunc(literal, isBlank) + "\n"
		} else if n = escaped(text[i:]); n > 0 {
			literal += text[i+1 : i+n]
		} else if a, n = metavariable(text[i:]); n > 0 {
			flush()
			a.at = from + i
			s.atoms = append(s.atoms, a)
		} else {
			literal, n = literal+text[i:i+1], 1
		}
	}
	flush()
	return s
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// lineBreak returns the length of the word \n at i and the space after it, or 0.
func lineBreak(text string, i int) int {
	if i == 0 || text[i-1] != ' ' && text[i-1] != '\t' || !strings.HasPrefix(text[i:], `\n `) {
		return 0
	}
	return len(text) - i - len(strings.TrimLeft(text[i+2:], " \t"))
}

// escaped returns the length of an escape sequence at the start, or 0.
func escaped(text string) int {
	for _, e := range []string{`\=>`, `\|`, `\$`} {
		if strings.HasPrefix(text, e) {
			return len(e)
		}
	}
	return 0
}

// metavariable returns the metavariable at the start and its length, or 0. $Name and $name are ordinary text.
func metavariable(text string) (atom, int) {
	a, name := atom{}, text
	switch {
	case strings.HasPrefix(text, "$$$"):
		a.many, name = true, text[3:]
	case strings.HasPrefix(text, "$"):
		name = text[1:]
	default:
		return a, 0
	}
	n := 0
	for n < len(name) && isNameByte(name[n], n) {
		n++
	}
	if n == 0 || n < len(name) && name[n] >= 'a' && name[n] <= 'z' {
		return a, 0
	}
	a.name = name[:n]
	return a, len(text) - len(name) + n
}

func isNameByte(c byte, i int) bool {
	return c >= 'A' && c <= 'Z' || c == '_' || i > 0 && c >= '0' && c <= '9'
}

func isName(text string) bool {
	for i := range len(text) {
		if !isNameByte(text[i], i) {
			return false
		}
	}
	return text != ""
}

// stem returns the name without final digits, which selects its holes.
func stem(name string) string { return strings.TrimRight(name, "0123456789") }

func columnOf(line string, at int) int { return utf8.RuneCountInString(line[:at]) + 1 }
