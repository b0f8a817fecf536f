package text

import (
	"bytes"

	"whittle/parse"
)

type class uint8

const (
	word      class = iota // a name, number or keyword, with its sigil: %eax, .text
	quoted                 // a string
	operator               // several operator characters
	separator              // a comma or semicolon
	opening
	closing
)

type scanner struct {
	source     []byte
	start, end int // of the token
	class      class
	head       int32  // result of headOf for the line that begins with the token
	inHunk     bool   // the token is in a hunk of a patch
	alone      bool   // the token begins a line that ends all brackets
	marker     string // of comments, or ""
	commented  bool   // the token is in a comment
	fixed      bool   // fixed-form Fortran
}

// next skips white space, escaped line breaks and a byte order mark.
func (s *scanner) next() bool {
	first := s.end == 0
	if first && bytes.HasPrefix(s.source, []byte("\ufeff")) {
		s.end = 3
	}
	glued := s.end > 0
	i, before := s.end, s.end
	for i < len(s.source) {
		n := parse.SpaceLen(s.source[i:])
		if n == 0 {
			n = s.continuation(i)
		}
		if n == 0 {
			break
		}
		i += n
		glued = false
	}
	if i == len(s.source) {
		return false
	}
	s.head, s.alone = 0, false
	if newline := bytes.LastIndexByte(s.source[before:i], '\n'); newline >= 0 || first {
		s.line(before+newline+1, i)
		s.commented = false
	}
	if s.marker != "" && !glued && bytes.HasPrefix(s.source[i:], []byte(s.marker)) ||
		s.fixed && fixedComment(s.source, i) {
		s.commented = true
	}
	behindWord := glued && s.class == word
	s.start = i
	if s.end, s.class = s.token(i, glued, behindWord); s.commented && (s.class == opening || s.class == closing) {
		s.class = operator
	}
	return true
}

func (s *scanner) line(line, token int) {
	if line == token {
		s.head = headOf(s.source[line:])
	}
	s.inHunk = s.head == hunk || s.head == 0 && s.inHunk && inHunk(s.source[line:])
	s.alone = s.head > 0 || s.inHunk
}

// token returns the end and the class of the token at i. Without white space before it, it is glued.
func (s *scanner) token(i int, glued, behindWord bool) (int, class) {
	switch c := s.source[i]; {
	case isWord(c):
		return s.word(i), word
	case c == ',' || c == ';':
		return i + 1, separator
	case c == '(' || c == '[' || c == '{':
		return i + 1, opening
	case c == ')' || c == ']' || c == '}':
		return i + 1, closing
	case c == '"', (c == '\'' || c == '`') && !behindWord:
		if end := s.quoted(i); end > 0 {
			return end, quoted
		}
		return i + 1, operator
	case c == '\\': // escapes the next character
		if i+1 == len(s.source) || parse.SpaceLen(s.source[i+1:]) > 0 {
			return i + 1, operator
		}
		if isWord(s.source[i+1]) {
			return s.word(i + 1), word
		}
		return i + 2, word
	case isSigil(c) && !glued && s.wordAt(i+1):
		return s.word(i + 1), word
	default:
		return s.operator(i), operator
	}
}

func (s *scanner) word(i int) int {
	number := isDigit(s.source[i])
	for i++; i < len(s.source); i++ {
		if c := s.source[i]; !isWord(c) && !(c == '.' && number && i+1 < len(s.source) && isDigit(s.source[i+1])) {
			break
		}
	}
	return i
}

// operator excludes the sign of a following word.
func (s *scanner) operator(i int) int {
	if !isOperator(s.source[i]) {
		return i + 1
	}
	for i++; i < len(s.source) && isOperator(s.source[i]); i++ {
		if c := s.source[i]; c != s.source[i-1] && isSign(c) && s.wordAt(i+1) {
			break
		}
	}
	return i
}

// quoted returns the end of the string at i on its line, or 0. Before a word or an opening bracket, a
// quote may be an apostrophe, or single as in Lisp.
func (s *scanner) quoted(i int) int {
	quote := s.source[i]
	for k := i + 1; k < len(s.source) && s.source[k] != '\n'; k++ {
		switch s.source[k] {
		case '\\':
			k++
		case quote:
			if quote != '"' && (s.wordAt(k+1) || k+1 < len(s.source) && bytes.IndexByte([]byte("([{"), s.source[k+1]) >= 0) {
				return 0
			}
			return k + 1
		}
	}
	return 0
}

func (s *scanner) wordAt(i int) bool { return i < len(s.source) && isWord(s.source[i]) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord includes all that is not ASCII or not text.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' ||
		c >= 0x7f || c < ' ' && (c < '\t' || c > '\r')
}

func isSigil(c byte) bool { return c == '%' || c == '@' || c == '#' || c == '.' }

func isSign(c byte) bool { return c == '-' || c == '+' || c == '*' || c == '&' || c == '!' || c == '~' }

func isOperator(c byte) bool { return bytes.IndexByte([]byte("+-*/%&|<>=!:.?^~@#"), c) >= 0 }

// headOf returns the rank of the first line of text if it is the head of a file or hunk of a patch, or 0. Patches have
// only parts of files, and some lines twice. So heads end all brackets, and hunks are lists of lines.
func headOf(text []byte) int32 {
	switch {
	case bytes.HasPrefix(text, []byte("diff --git ")):
		return 3
	case bytes.HasPrefix(text, []byte("--- ")):
		if _, next, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(next, []byte("+++ ")) {
			return 2
		}
	case bytes.HasPrefix(text, []byte("@@ -")), bytes.HasPrefix(text, []byte("@@@ -")):
		return hunk
	}
	return 0
}

const hunk = 1

func inHunk(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(" +-\\\t"), text[0]) >= 0
}
