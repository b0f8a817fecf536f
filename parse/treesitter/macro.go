package treesitter

import (
	"bytes"
	"strings"

	"whittle/parse"
)

// Macros is the word of a [Mask] for macros in capitals that the grammar does not expect: before a declaration, in its
// head, or alone on lines. Without it, a namespace behind a macro is read as a function, and most of a header is an
// error. The word is not an identifier.
const Macros = "A-Z"

// declares has words that may follow a macro, but not a type.
var declares = set("namespace template class struct union enum inline static extern constexpr virtual explicit " +
	"typedef using friend public private protected void auto bool char int unsigned signed short long float " +
	"double operator")

var (
	specifiers = set("static inline extern virtual constexpr explicit friend")
	classKeys  = set("class struct union")
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

func isMacro(word []byte) bool {
	const shortest = 4 // as a comment
	return len(word) >= shortest && len(bytes.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")) == 0
}

// longestCall is the length of a macro with its arguments, and of a list of parameters.
const longestCall = 4 << 10

// macroAt returns the end of the macro text[i:i+n] and its arguments, or 0 if that may be a type, name or statement.
// before is the text in front of it, without comments, directives and other macros at its end.
func macroAt(text, before []byte, i, n int) int {
	if !isMacro(text[i:i+n]) || n >= longestCall {
		return 0
	}
	k := len(before)
	for k > 0 && parse.WordLen(before[k-1:k]) > 0 {
		k--
	}
	previous, last := before[k:], byte(';')
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	begins := specifiers[string(previous)] || strings.IndexByte(";{}:>", last) >= 0
	if !begins && !classKeys[string(previous)] && last != ')' {
		return 0
	}
	text = text[:min(len(text), i+longestCall)]
	end := i + n
	next, called := gap(text, end), false
	if called = bytes.HasPrefix(text[next:], []byte("(")); called {
		if end = closed(text, next); end == 0 {
			return 0
		}
		next = gap(text, end)
	}
	for _, qualifier := range []string{"const", "volatile"} {
		if n := parse.WordLen(text[next:]); string(text[next:next+n]) == qualifier {
			next = gap(text, next+n)
		}
	}
	first := byte('}') // as at the end of a block
	if next < len(text) {
		first = text[next]
	}
	word := next + parse.WordLen(text[next:])
	name := gap(text, word) // or the token behind the word
	fits := false
	switch {
	case classKeys[string(previous)]: // class API X {
		after := text[name:]
		fits = word > next && (len(after) > 0 && (after[0] == '{' || after[0] == '<') ||
			bytes.HasPrefix(after, []byte("final")) ||
			bytes.HasPrefix(after, []byte(":")) && !bytes.HasPrefix(after, []byte("::")))
	case last == ')': // void f() NOEXCEPT {
		fits = first == '{' && !called
	case first == '~', declares[string(text[next:word])]: // API void f();
		fits = true
	case last != '>' && alone(text, i, end): // BEGIN_NAMESPACE
		fits = first == '}' || word > next && !bytes.HasPrefix(text[name:], []byte("("))
	case !called && word > next && bytes.HasPrefix(text[name:], []byte("(")): // CONSTEXPR X() : x(1) {
		closes := closed(text, name)
		fits = closes > 0 && bytes.HasPrefix(text[gap(text, closes):], []byte(":"))
	case !called && word > next: // API std::string f();
		name = gap(text, next+wordLen(text[next:]))
		for name < len(text) && (text[name] == '*' || text[name] == '&') {
			name = gap(text, name+1)
		}
		of := parse.WordLen(text[name:])
		fits = of > 0 && bytes.HasPrefix(text[gap(text, name+of):], []byte("("))
	}
	if !fits {
		return 0
	}
	return end
}

// gap returns the end of white space, comments and directives at text[i].
func gap(text []byte, i int) int {
	for i < len(text) {
		n := max(parse.SpaceLen(text[i:]), commentLength(text[i:]), directiveLength(text, i))
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// directiveLength returns the length of a directive of the preprocessor at text[i], or 0.
func directiveLength(text []byte, i int) int {
	if text[i] != '#' || !startsLine(text, i) {
		return 0
	}
	for n := i; n < len(text); n++ {
		if text[n] == '\n' && !bytes.HasSuffix(bytes.TrimSuffix(text[:n], []byte("\r")), []byte("\\")) {
			return n - i
		}
	}
	return len(text) - i
}

func startsLine(text []byte, i int) bool {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i == 0 || text[i-1] == '\n'
}

func alone(text []byte, i, end int) bool {
	for end < len(text) && bytes.IndexByte([]byte(" \t\r"), text[end]) >= 0 {
		end++
	}
	return startsLine(text, i) && (end == len(text) || text[end] == '\n')
}
