package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"whittle/parse"
)

// Read reads a file of rules. include returns the bundled rules for a line `@include LANGUAGE`. The error is
// [Mistakes], all of the file. A line is empty, a comment that begins with "# ", a rule, or one of
//
//	@place void f(void) { $$$ }   a file in which a pattern can be, in place of $$$
//	@hole T int                   a text for $T, $T1 and $$$T while a pattern is parsed
//	@hole _ x                     a text for metavariables of other names
//	@include c                    the rules of another file, with its places, holes, stub and probes
//	@anycase                      words of patterns match in any case
//	@values block basic_block     a fact for package ssa
//	@stub loop {}                 a body for emptied functions
//	@probe block say($);          a statement that says that a block of this kind runs; see [parse.Probe]
//	@global int said$;            a declaration for each probe
//	@first invocation             the kind of a statement before the probe in its block
//	@types type_annotation        kinds of optional nodes that do not run
//	@value {}                     an expression that fits most types
//	@file string ./$.js           a [parse.Spelling], with its kind and paths; <KIND before these is the kind around
//	@inside mod_item.name ./$.rs  a [parse.Spelling] with Inside
//	@package go.mod module        a file and the word before the name of its directory
//	@symbol identifier | |        leaves of this kind are one name each, perhaps in these quotes
//	@alike int long char          words of one kind, the simplest first
//
// Without a place, a pattern is a whole file. Without a hole for its name, a metavariable is x.
func Read(file string, text []byte, include func(language string) ([]byte, bool)) (*Set, error) {
	r := &reader{file: file, include: include, open: map[string]bool{}, seen: map[string]int{}}
	r.set.holes, r.set.Symbols = map[string][]string{}, map[string]string{}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, Mistakes{{file, 1, 1, "the file is not UTF-8 text"}}
	}
	r.read(string(text))
	return &r.set, r.mistakes.err()
}

type reader struct {
	set      Set
	file     string
	line     int
	why      []string
	include  func(string) ([]byte, bool)
	open     map[string]bool // languages being included
	seen     map[string]int
	mistakes Mistakes
}

func (r *reader) wrong(line string, at int, format string, args ...any) {
	r.mistakes = append(r.mistakes, Mistake{r.file, r.line, columnOf(line, at), fmt.Sprintf(format, args...)})
}

func (r *reader) read(text string) {
	comment := false
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

var directives = []string{"@place", "@hole", "@include", "@anycase", "@values", "@stub", "@value", "@file", "@inside",
	"@package", "@symbol", "@alike", "@probe", "@global", "@first", "@types"}

func (r *reader) directive(line string, words []string) {
	at := strings.Index(line, words[0])
	rest := strings.TrimSpace(line[at+len(words[0]):])
	end := len(line)
	switch words[0] {
	case "@place":
		before, after, ok := strings.Cut(rest, "$$$")
		if !ok || strings.Contains(after, "$$$") {
			r.wrong(line, at, "@place needs exactly one $$$ for the pattern, as in @place f($$$);")
			return
		}
		r.set.places = append(r.set.places, place{before, after})
	case "@hole":
		if len(words) < 3 || stem(words[1]) != words[1] || !isName(words[1]) {
			r.wrong(line, at, "@hole needs a name of capital letters, or _ for other names, and a text, as in @hole T int")
			return
		}
		r.set.holes[words[1]] = append(r.set.holes[words[1]], strings.TrimSpace(rest[len(words[1]):]))
	case "@anycase":
		r.set.anyCase = true
	case "@values":
		if len(words) < 3 {
			r.wrong(line, end, "@values needs a fact and its words")
			return
		}
		r.set.Values = append(r.set.Values, words[1:])
	case "@stub":
		r.set.Stub = rest
	case "@probe":
		if len(words) < 3 {
			r.wrong(line, end, "@probe needs a kind of block and a statement, as in @probe block say($);")
			return
		}
		if r.set.Probe.Statements == nil {
			r.set.Probe.Statements = map[string]string{}
		}
		r.set.Probe.Statements[words[1]] = strings.TrimSpace(rest[len(words[1]):])
	case "@global":
		r.set.Probe.Global = rest
	case "@first":
		r.set.Probe.First = rest
	case "@types":
		r.set.Probe.Types = words[1:]
	case "@value":
		r.set.Value = rest
	case "@file", "@inside":
		s := parse.Spelling{Inside: words[0] == "@inside"}
		for _, word := range words[1:] {
			around, is := strings.CutPrefix(word, "<")
			switch {
			case s.Kind == "":
				s.Kind = word
			case is:
				s.Around = around
			default:
				s.Paths = append(s.Paths, word)
			}
		}
		if len(s.Paths) == 0 {
			r.wrong(line, end, "@file needs a kind of nodes and a path, as in @file preproc_include.path ./$")
			return
		}
		r.set.Spellings = append(r.set.Spellings, s)
	case "@package":
		if len(words) != 3 {
			r.wrong(line, end, "@package needs a file and a word, as in @package go.mod module")
			return
		}
		r.set.Packages = append(r.set.Packages, [2]string{words[1], words[2]})
	case "@symbol":
		if len(words) != 2 && len(words) != 4 {
			r.wrong(line, end, "@symbol needs a kind of node, and perhaps the quotes around a name, as in @symbol name | |")
			return
		}
		r.set.Symbols[words[1]] = strings.Join(words[2:], "")
	case "@alike":
		if len(words) < 3 {
			r.wrong(line, end, "@alike needs several words, as in @alike int long")
			return
		}
		r.set.Alike = append(r.set.Alike, words[1:])
	case "@include":
		if len(words) != 2 {
			r.wrong(line, end, "@include needs the name of one language")
			return
		}
		r.includes(line, words[1])
	}
}

func (r *reader) includes(line, language string) {
	at := strings.Index(line, language)
	text, ok := r.include(language)
	switch {
	case !ok:
		r.wrong(line, at, "there are no rules for %q", language)
		return
	case r.open[language]:
		r.wrong(line, at, "the rules of %s include themselves", language)
		return
	}
	inner := &reader{file: language + ".rules", include: r.include, open: maps.Clone(r.open), seen: r.seen}
	inner.open[language] = true
	inner.set.holes, inner.set.Symbols = r.set.holes, r.set.Symbols
	inner.read(string(text))
	r.set.places = append(r.set.places, inner.set.places...)
	r.set.Rules = append(r.set.Rules, inner.set.Rules...)
	r.set.Spellings = append(r.set.Spellings, inner.set.Spellings...)
	r.set.Packages = append(r.set.Packages, inner.set.Packages...)
	r.set.Alike = append(r.set.Alike, inner.set.Alike...)
	r.set.Stub = cmp.Or(r.set.Stub, inner.set.Stub)
	if r.set.Probe.Statements == nil {
		r.set.Probe = inner.set.Probe
	}
	r.set.anyCase = r.set.anyCase || inner.set.anyCase
	r.mistakes = append(r.mistakes, inner.mistakes...)
}

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
		r.wrong(line, rule.pattern.at, "there is no pattern before =>")
	case len(rule.pattern.atoms) == 1 && rule.pattern.atoms[0].name != "":
		r.wrong(line, rule.pattern.at, "%s alone matches everything; add more to the pattern", rule.Pattern)
	case r.seen[rule.Pattern] > 0:
		r.wrong(line, rule.pattern.at, "line %d has the same pattern; write alternatives in one line: => A | B",
			r.seen[rule.Pattern])
	case r.bind(line, rule):
		r.seen[rule.Pattern] = r.line
		r.set.Rules = append(r.set.Rules, rule)
	}
}

func (r *reader) bind(line string, rule *Rule) bool {
	before := len(r.mistakes)
	many := map[string]bool{}
	for _, a := range rule.pattern.atoms {
		was, known := many[a.name]
		if a.name != "" && a.name != "_" && known && was != a.many {
			r.wrong(line, a.at, "$%s is one node here and several nodes elsewhere in the pattern", a.name)
		}
		many[a.name] = a.many
	}
	for i, s := range rule.with {
		if rule.With[i] == rule.Pattern || slices.Contains(rule.With[:i], rule.With[i]) {
			r.wrong(line, s.at, "this is equal to the pattern or to an earlier alternative")
		}
		for _, a := range s.atoms {
			was, known := many[a.name]
			switch {
			case a.name == "":
			case a.name == "_":
				r.wrong(line, a.at, "$_ has no value; use a named metavariable")
			case !known:
				r.wrong(line, a.at, "the pattern does not contain %s", a)
			case was != a.many:
				r.wrong(line, a.at, "the pattern has %s, not %s", atom{name: a.name, many: was}, a)
			}
		}
	}
	return len(r.mistakes) == before
}

// split cuts a line at its arrow and bars, which are words. Those of the language are written \=> and \|, except for
// bars in a pattern.
func (r *reader) split(line string) ([]side, bool) {
	var sides []side
	from, at := 0, 0 // of the side and the word
	for word := range strings.FieldsFuncSeq(line, isBlank) {
		at += strings.Index(line[at:], word)
		switch {
		case word == "=>" && sides != nil:
			r.wrong(line, at, `a second =>; write \=> for an arrow of the language`)
			return nil, false
		case word == "=>" || word == "|" && sides != nil:
			sides = append(sides, newSide(line, from, at))
			from = at + len(word)
		}
		at += len(word)
	}
	if sides == nil {
		r.wrong(line, len(line)-len(strings.TrimLeft(line, " \t")), "expected a rule PATTERN => ALTERNATIVE, "+
			"a comment after a # and a space, @place, @hole, @include or @anycase")
		return nil, false
	}
	return append(sides, newSide(line, from, len(line))), true
}

// A Mistake is an error in a file of rules.
type Mistake struct {
	File         string
	Line, Column int // from 1; columns in characters
	Text         string
}

func (m Mistake) Error() string { return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Text) }

// Mistakes are all errors in a file.
type Mistakes []Mistake

func (m Mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// Error returns the first mistakes, one per line.
func (m Mistakes) Error() string {
	const limit = 20
	var lines []string
	for i, one := range m {
		if i == limit {
			lines = append(lines, fmt.Sprintf("and %d more mistakes", len(m)-limit))
			break
		}
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}
