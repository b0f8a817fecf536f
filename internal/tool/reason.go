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
	// ticked matches the quotes of rustc, whose lifetimes have a quote.
	ticked = regexp.MustCompile("`([^`]+)`")
	// unquoted are messages of Go, javac, linkers, Node.js, OCaml, Kotlin, Scala, Ruby and PHP.
	unquoted = regexp.MustCompile("(?:undefined: |undefined reference to [`‘]|symbol: +\\w+ |unresolved reference: |" +
		"not found: \\w+ |Unbound (?:[a-z]+ )+|uninitialized constant |" +
		`[uU]ndefined (?:method|function|property:|constant) (?:[\w\\]+::)?\$?|remaining methods \([\w\\]+::)([\w.:]+)|` +
		`([\w.]+) (?:is not (?:defined|a function|a constructor)|undefined)(?: \(type \*?([\w.]+) |$)|` +
		`(\w+) does not implement [\w.]+ \(missing (?:method )?(\w+)|` +
		`(\w+) is not abstract and does not override abstract method (\w+)`)
	// placed matches a place, after its directory: small.c:5:17, small.ts(5,17), A.java:[5,17], or small.py:5. Python and
	// PHP write the number of a line in words.
	placed = regexp.MustCompile("((?:[^\\s:\"'`(]*/)?)" +
		`([^\s/:"'(]+)(?:(?::|", line | on line )([0-9]+)(?::([0-9]+))?|(?:\(|:\[)([0-9]+),([0-9]+)[])])`)
	// function matches the last lines of a stack dump by clang, opt and llc, and the query of rustc.
	function = regexp.MustCompile("^(?:[0-9]+\\.\\s.*(?:function|declaration|body) '@?|#0 \\[\\w+\\] .*`)([^'`]+)['`]")
	// around matches the line of gcc before the messages in a function.
	around  = regexp.MustCompile(`: In .*(?:function|structor) [‘'](.+)[’']:$`)
	anError = regexp.MustCompile(`([eE]rror|ERROR)\b`)
)

// Texts are searched before regular expressions, since compilers print megabytes.
var (
	// unquotedParts has a part of each message that unquoted matches.
	unquotedParts = []string{"ndefined", "symbol:", "unresolved reference", "not found:", "Unbound", "is not ",
		"does not implement", "uninitialized constant", "remaining methods"}
	errorParts = []string{"error", "Error", "ERROR"}
	aside      = []string{"warning", "Warning", "note:", "file included"}
	rustError  = []byte("error[E") // the next line has the place
	rustCrash  = []byte("error: internal compiler error: ")
	rustAdvice = []byte("For more information about ")
	arrow      = []byte("--> ")     // before a place for the line before, by rustc
	pythonLine = []byte(`", line `) // in a place
	phpLine    = []byte(" on line ")
)

func containsAny(line []byte, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return bytes.Contains(line, []byte(part)) })
}

// place returns the place in a line, as "small.c:5:17", or "". A relative path keeps its directories, which tell files
// of the same name apart; an absolute one is outside of the test. Lines without a digit after a colon or a bracket are
// not searched. An error or a crash of rustc has its place in the next line, and may name a closure by a place.
func place(line []byte) string {
	if !hasNumber(line) || bytes.HasPrefix(line, rustError) || bytes.HasPrefix(line, rustCrash) {
		return ""
	}
	m := placed.FindSubmatch(line)
	if m == nil {
		return ""
	}
	place := string(m[2])
	if len(m[1]) > 0 && m[1][0] != '/' {
		place = path.Clean(string(m[1]) + place)
	}
	place += ":" + string(m[3]) + string(m[5])
	if column := string(m[4]) + string(m[6]); column != "" {
		place += ":" + column
	}
	return place
}

func hasNumber(line []byte) bool {
	for i, c := range line[:max(len(line)-1, 0)] {
		if (c == ':' || c == '(' || c == '[') && '0' <= line[i+1] && line[i+1] <= '9' {
			return true
		}
	}
	return bytes.Contains(line, pythonLine) || bytes.Contains(line, phpLine)
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
	if bytes.HasPrefix(bytes.TrimLeft(line, " 0123456789"), []byte("|")) || bytes.HasPrefix(line, rustAdvice) {
		return "" // code that gcc and rustc show, or advice
	}
	head, _, _ := bytes.Cut(line, []byte("warning: ")) // as of an import that is not used, of crate::IoError
	prefix, m := "", [][]byte(nil)
	if containsAny(line, unquotedParts) {
		m = unquoted.FindSubmatch(line)
	}
	switch {
	case m != nil:
		for _, name := range m[1:] {
			add(name)
		}
	case bytes.Contains(line, arrow):
		prefix = oracle.Place
	case bytes.HasSuffix(line, []byte(":")) && around.Match(line):
		prefix = oracle.Place
		add(around.FindSubmatch(line)[1])
	case bytes.Contains(line, []byte("is not allowed in a constant expression")): // clang's error has another place
	case containsAny(head, errorParts) && anError.Match(head) && !bytes.Contains(line, []byte("nternal compiler error")):
		quotes := quoted
		if bytes.HasPrefix(line, rustError) {
			quotes = ticked
		}
		for _, q := range quotes.FindAllSubmatch(bytes.ReplaceAll(line, []byte("‘type name’"), nil), -1) {
			name := bytes.TrimSuffix(q[1], []byte(".mod")) // a module of Fortran
			slash := bytes.LastIndexByte(name, '/')
			if base := name[slash+1:]; slash >= 0 && len(base) > 0 && !bytes.ContainsAny(base, " :") { // of a path
				name, _, _ = bytes.Cut(base, []byte("."))
			}
			add(name)
		}
	case containsAny(line, aside):
		return ""
	default:
		prefix = oracle.Clue
		if m := function.FindSubmatch(line); m != nil {
			add(m[1])
		}
	}
	names = append(names, arguments...)
	reason := cmp.Or(place(line), "-")
	if reason == "-" && len(names) == 0 && prefix != "" && !bytes.HasPrefix(line, rustCrash) {
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
	return prefix + reason
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
