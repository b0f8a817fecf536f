package tool

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

var (
	// quoted matches the quotes of compilers in any locale.
	quoted = regexp.MustCompile("[‘`'\"]([^‘’`'\"]+)[’`'\"]")
	// unquoted are messages of Go, javac, linkers, Node.js, OCaml, Kotlin and Scala.
	unquoted = regexp.MustCompile("(?:undefined: |undefined reference to [`‘]|symbol: +\\w+ |unresolved reference: |" +
		"not found: \\w+ |Unbound (?:[a-z]+ )+)([\\w.:]+)|" +
		`([\w.]+) (?:is not (?:defined|a function|a constructor)|undefined)(?: \(type \*?([\w.]+) |$)|` +
		`(\w+) does not implement \w+ \(missing (?:method )?(\w+)|` +
		`(\w+) is not abstract and does not override abstract method (\w+)`)
	// placed matches a place: small.c:5:17, small.ts(5,17), or small.py:5.
	placed = regexp.MustCompile(`([^\s/:"'(]+)(?:(?::|", line )([0-9]+)(?::([0-9]+))?|\(([0-9]+),([0-9]+)\))`)
	// function matches the last lines of a stack dump by clang, opt and llc, and the query of rustc.
	function = regexp.MustCompile("^(?:[0-9]+\\.\\s.*(?:function|declaration|body) '@?|#0 \\[\\w+\\] .*`)([^'`]+)['`]")
	anError  = regexp.MustCompile(`[eE]rror\b`)
)

// Texts are searched before regular expressions, since compilers print megabytes.
var (
	// unquotedParts has a part of each message that unquoted matches.
	unquotedParts = []string{"undefined", "symbol:", "unresolved reference", "not found:", "Unbound", "is not ",
		"does not implement"}
	errorParts = []string{"error", "Error"}
	aside      = []string{"warning", "Warning", "note:", "file included"}
	arrow      = []byte("--> ")     // before a place for the line before, by rustc
	pythonLine = []byte(`", line `) // in a place
)

func containsAny(line []byte, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return bytes.Contains(line, []byte(part)) })
}

// place returns the place in a line, as "small.c:5:17", or "". A relative path keeps its directories, which tell files
// of the same name apart; an absolute one is outside of the test. Lines without a digit after a colon or a parenthesis
// are not searched.
func place(line []byte) string {
	hasNumber := bytes.Contains(line, pythonLine)
	for i, c := range line[:max(len(line)-1, 0)] {
		hasNumber = hasNumber || (c == ':' || c == '(') && '0' <= line[i+1] && line[i+1] <= '9'
	}
	if !hasNumber {
		return ""
	}
	at := placed.FindSubmatchIndex(line)
	if at == nil {
		return ""
	}
	group := func(k int) string { return string(line[max(at[2*k], 0):max(at[2*k+1], 0)]) }
	place := group(1)
	if dir := line[bytes.LastIndexAny(line[:at[2]], " \t:\"'`(")+1 : at[2]]; len(dir) > 0 && dir[0] != '/' {
		place = path.Clean(string(dir) + place)
	}
	place += ":" + group(2) + group(4)
	if column := group(3) + group(5); column != "" {
		place += ":" + column
	}
	return place
}

// Bounds of a reason.
const (
	mostNames     = 10
	longestReason = 120
)

// Reason returns the place and the names of an error or another message in a line of output, in the form of
// [whittle/oracle.Spec]. The search looks for each name in the missing code, so most messages need no pattern.
func Reason(line []byte) string {
	var names, arguments []string
	add := func(text []byte) {
		plain, inner := components(string(text))
		names, arguments = append(names, plain...), append(arguments, inner...)
	}
	clue, m := "", [][]byte(nil)
	if containsAny(line, unquotedParts) {
		m = unquoted.FindSubmatch(line)
	}
	switch {
	case m != nil:
		for _, name := range m[1:] {
			add(name)
		}
	case bytes.Contains(line, arrow):
		clue = oracle.Place
	case containsAny(line, errorParts) && anError.Match(line) && !bytes.Contains(line, []byte("nternal compiler error")):
		for _, q := range quoted.FindAllSubmatch(bytes.ReplaceAll(line, []byte("‘type name’"), nil), -1) {
			add(q[1])
		}
	case containsAny(line, aside):
		return ""
	default:
		clue = oracle.Clue
		if m := function.FindSubmatch(line); m != nil {
			add(m[1])
		}
	}
	names = append(names, arguments...)
	reason := cmp.Or(place(line), "-")
	if reason == "-" && len(names) == 0 && clue != "" {
		return ""
	}
	for i, name := range names[:min(len(names), mostNames)] {
		if slices.Contains(names[:i], name) {
			continue
		}
		if len(reason)+1+len(name) > longestReason {
			break
		}
		reason += " " + name
	}
	return clue + reason
}

// ReasonIn returns [Reason] for a file or a directory. Places outside a single file are left out.
func ReasonIn(name string, isDirectory bool) func(line []byte) string {
	if isDirectory {
		return Reason
	}
	return func(line []byte) string {
		reason := Reason(line)
		place, names, _ := strings.Cut(strings.TrimLeft(reason, oracle.Clue+oracle.Place), " ")
		if in, _, _ := strings.Cut(place, ":"); path.Base(in) == name || in == "-" || reason == "" {
			return reason
		}
		if names == "" || strings.HasPrefix(reason, oracle.Clue) {
			return ""
		}
		return "- " + names
	}
}

// components returns the words of a qualified name, the last one first, and those of its template arguments: of
// "T A::B<C>::f(int)" f, B, A and T; and C.
func components(text string) (names, inner []string) {
	scope, operator, _ := strings.Cut(text, "operator")
	if operator = strings.TrimSpace(operator); operator != "" && !isWord(operator[0]) {
		if end := strings.LastIndexByte(operator, '('); end > 0 {
			operator = operator[:end]
		}
		names, inner = components(scope)
		return append([]string{operator}, names...), inner
	}
	depth, typed := 0, false
	var plain, arguments []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '<' || c == '[':
			typed = typed && depth > 0 || c == '<' && i > 0 && isWord(text[i-1])
			depth++
			arguments = append(arguments, ' ')
		case c == '>' || c == ']':
			depth--
		case depth > 0 && typed && isWord(c):
			arguments = append(arguments, c)
		case depth > 0:
			arguments = append(arguments, ' ')
		case c == '(' && len(plain) > 0:
			i = len(text)
		case isWord(c):
			plain = append(plain, c)
		default:
			plain = append(plain, ' ')
		}
	}
	names = strings.Fields(string(plain))
	slices.Reverse(names)
	return names, strings.Fields(string(arguments))
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
