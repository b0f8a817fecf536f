package rules

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Read reads a file of rules. Include returns the bundled rules of a language, for a
// line `@include LANGUAGE`. The error is [Mistakes], all that there are.
//
// A line is empty; or a comment, which begins with "# "; or a rule; or one of
//
//	@place void f(void) { $$$ }   a file in which a pattern may stand, for $$$
//	@hole T int                   what may stand for $T, $T1, $$$T when a pattern is read
//	@hole _ x                     what may for metavariables of other names
//	@include c                    the rules of another file, with its places and holes
//	@anycase                      the words of a pattern match whether they are large or small
//
// Without a place a pattern is a file of its own, and without a hole for its name a
// metavariable is x.
func Read(file string, text []byte, include func(language string) ([]byte, bool)) (*Set, error) {
	r := &reader{file: file, include: include, open: map[string]bool{}, seen: map[string]int{}}
	r.set.holes = map[string][]string{}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, Mistakes{{file, 1, 1, "this is no text; rules are lines of UTF-8"}}
	}
	r.read(string(text))
	return &r.set, r.mistakes.err()
}

// reader reads one file, and those that it includes.
type reader struct {
	set      Set
	file     string
	line     int
	why      []string
	include  func(string) ([]byte, bool)
	open     map[string]bool // what is being included
	seen     map[string]int  // lines of patterns
	mistakes Mistakes
}

// wrong notes a mistake in the current line at a byte of it.
func (r *reader) wrong(line string, at int, format string, args ...any) {
	r.mistakes = append(r.mistakes, Mistake{r.file, r.line, columnOf(line, at), fmt.Sprintf(format, args...)})
}

func (r *reader) read(text string) {
	comment := false // the line before was one
	for line := range strings.Lines(text) {
		r.line++
		line = strings.TrimRight(line, " \t\r\n")
		words := strings.Fields(line)
		was := comment
		comment = len(words) > 0 && words[0] == "#"
		switch {
		case len(words) == 0:
			r.why = nil
		case comment:
			if !was {
				r.why = nil
			}
			r.why = append(r.why, strings.Join(words[1:], " "))
		case slices.Contains(directives, words[0]):
			r.directive(line, words)
		default:
			r.rule(line)
		}
	}
}

// directives are the words of lines that are no rules.
var directives = []string{"@place", "@hole", "@include", "@anycase"}

// directive reads a line that begins with @.
func (r *reader) directive(line string, words []string) {
	at := strings.Index(line, words[0])
	rest := strings.TrimSpace(line[at+len(words[0]):])
	end := len(line)
	switch words[0] {
	case "@place":
		before, after, ok := strings.Cut(rest, "$$$")
		if !ok || strings.Contains(after, "$$$") {
			r.wrong(line, at, "@place needs one $$$, where a pattern stands: @place f($$$);")
			return
		}
		r.set.places = append(r.set.places, place{before, after})
	case "@hole":
		if len(words) < 3 || stem(words[1]) != words[1] || !isName(words[1]) {
			r.wrong(line, at, "@hole needs a name of capital letters, or _ for others, and a text: @hole T int")
			return
		}
		r.set.holes[words[1]] = append(r.set.holes[words[1]], strings.TrimSpace(rest[len(words[1]):]))
	case "@anycase":
		r.set.anyCase = true
	case "@include":
		if len(words) != 2 {
			r.wrong(line, end, "@include needs the name of one language")
			return
		}
		r.includes(line, words[1])
	}
}

// includes reads the rules of another language.
func (r *reader) includes(line, language string) {
	at := strings.Index(line, language)
	text, ok := r.include(language)
	switch {
	case !ok:
		r.wrong(line, at, "there are no rules of %q", language)
		return
	case r.open[language]:
		r.wrong(line, at, "the rules of %s include themselves", language)
		return
	}
	inner := &reader{file: language + ".rules", include: r.include, open: maps.Clone(r.open), seen: r.seen}
	inner.open[language] = true
	inner.set.holes = r.set.holes
	inner.read(string(text))
	r.set.places = append(r.set.places, inner.set.places...)
	r.set.Rules = append(r.set.Rules, inner.set.Rules...)
	r.set.anyCase = r.set.anyCase || inner.set.anyCase
	r.mistakes = append(r.mistakes, inner.mistakes...)
}

// rule reads a line that has a pattern and its alternatives.
func (r *reader) rule(line string) {
	sides, ok := r.split(line)
	if !ok {
		return
	}
	rule := &Rule{File: r.file, Line: r.line, Why: strings.Join(r.why, " "), pattern: sides[0], with: sides[1:]}
	rule.Pattern = rule.pattern.String()
	for _, s := range rule.with {
		rule.With = append(rule.With, s.String())
	}
	switch {
	case rule.Pattern == "":
		r.wrong(line, rule.pattern.at, "a pattern is needed left of =>")
	case rule.pattern.isAnything():
		r.wrong(line, rule.pattern.at, "%s alone matches everything; a pattern needs more", rule.Pattern)
	case r.seen[rule.Pattern] > 0:
		r.wrong(line, rule.pattern.at, "line %d has this pattern already; alternatives stand in one line: => A | B",
			r.seen[rule.Pattern])
	case r.bind(line, rule):
		r.seen[rule.Pattern] = r.line
		r.set.Rules = append(r.set.Rules, rule)
	}
}

// bind reports whether the metavariables of a rule and its alternatives are right.
func (r *reader) bind(line string, rule *Rule) bool {
	before := len(r.mistakes)
	many := map[string]bool{}
	for _, a := range rule.pattern.atoms {
		was, known := many[a.name]
		if a.name != "" && a.name != "_" && known && was != a.many {
			r.wrong(line, a.at, "$%s is one node here, and any number elsewhere in the pattern", a.name)
		}
		many[a.name] = a.many
	}
	for i, s := range rule.with {
		if rule.With[i] == rule.Pattern || slices.Contains(rule.With[:i], rule.With[i]) {
			r.wrong(line, s.at, "this is the same as what stands left of it")
		}
		for _, a := range s.atoms {
			was, known := many[a.name]
			switch {
			case a.name == "":
			case a.name == "_":
				r.wrong(line, a.at, "$_ is anything, and nothing can be made of it; give it a name")
			case !known:
				r.wrong(line, a.at, "the pattern has no %s", a)
			case was != a.many:
				r.wrong(line, a.at, "the pattern has %s, not %s", atom{name: a.name, many: was}, a)
			}
		}
	}
	return len(r.mistakes) == before
}

// split cuts a line at its arrow and bars: these are words of their own. Those of the
// language are written \=> and \|, but for bars in a pattern, which are its own.
func (r *reader) split(line string) ([]side, bool) {
	var sides []side
	from, end := 0, 0 // the side that is read, and the end of the last word
	arrow := false
	for i := 0; i <= len(line); {
		if i == len(line) || line[i] == ' ' || line[i] == '\t' {
			word := line[end:i]
			switch {
			case word == "=>" && arrow:
				r.wrong(line, end, `a second =>; the language's own is written \=>`)
				return nil, false
			case word == "=>" || word == "|" && arrow:
				arrow = true
				sides = append(sides, newSide(line, from, end))
				from = i
			}
			i++
			end = i
			continue
		}
		i++
	}
	if !arrow {
		r.wrong(line, len(line)-len(strings.TrimLeft(line, " \t")), "a rule is PATTERN => ALTERNATIVE; "+
			"a comment begins with a # and a space; else a line is @place, @hole, @include or @anycase")
		return nil, false
	}
	return append(sides, newSide(line, min(from, len(line)), len(line))), true
}
