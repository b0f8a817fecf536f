package g4

import (
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd   tokenKind = iota
	tokBad             // a problem has been reported for it
	tokIdent           // with reserved words
	tokNumber
	tokLiteral // 'text'; its text has no quotes
	tokSet     // [text] in a lexer rule
	tokArgs    // [text] elsewhere
	tokAction
	tokPredicate // {text}?
	tokOpen      // options {, tokens { or channels {; its text has no brace
	tokSign      // any other sign, such as ; or +=
)

type token struct {
	kind tokenKind
	ident
}

// scanner cuts a grammar file into tokens. The parser sets inLexer in lexer rules, because brackets mean something else
// there.
type scanner struct {
	text     string
	at       int
	place    Pos // of text[at]
	inLexer  bool
	problems *Problems
	// broken is set when a construct is unterminated. It suppresses a second problem at the end of the file.
	broken bool
}

func newScanner(path string, text []byte, problems *Problems) *scanner {
	s := &scanner{text: string(text), place: Pos{path, 1, 1}, problems: problems}
	if len(s.text) >= 3 && s.text[:3] == "\ufeff" {
		s.at = 3
	}
	return s
}

func (s *scanner) next() token {
	s.skipSpace()
	t := token{ident: ident{Pos: s.place}}
	start, c := s.at, s.peek(0)
	switch {
	case s.at == len(s.text):
		t.kind = tokEnd
		return t
	case c == '\'':
		return s.quoted(t)
	case c == '[' && s.inLexer:
		return s.set(t)
	case c == '[':
		return s.nested(t, tokArgs, '[', ']')
	case c == '{':
		t = s.nested(t, tokAction, '{', '}')
		if t.kind == tokAction && s.peek(0) == '?' {
			t.kind = tokPredicate
			s.step()
			if s.peek(0) == '=' && s.peek(1) == '>' { // ANTLR 3
				s.steps(2)
			}
		}
		return t
	case '0' <= c && c <= '9':
		for isDigit(s.peek(0)) {
			s.step()
		}
		t.kind = tokNumber
	case isNameStart(s.rune()):
		for s.at < len(s.text) && isNamePart(s.rune()) {
			s.step()
		}
		t.kind = tokIdent
	default:
		s.sign()
		t.kind = tokSign
		if r := firstRune(s.text[start:]); r == utf8.RuneError || unicode.IsControl(r) || r == '"' || r == '\\' {
			t.kind = tokBad
			if r == '"' {
				s.problems.add(t.Pos, "unexpected '\"': literals are written in single quotes")
			} else {
				s.problems.add(t.Pos, "unexpected character %q", r)
			}
		}
	}
	t.text = s.text[start:s.at]
	if t.kind == tokIdent {
		s.open(&t)
	}
	return t
}

// open makes one token of "options {" and the like. Without the brace these words are names.
func (s *scanner) open(t *token) {
	switch t.text {
	case "options", "tokens", "channels":
		at, place := s.at, s.place
		s.skipSpace()
		if s.peek(0) == '{' {
			s.step()
			t.kind = tokOpen
		} else {
			s.at, s.place = at, place
		}
	}
}

func (s *scanner) sign() {
	switch s.text[s.at:min(s.at+2, len(s.text))] {
	case "::", "..", "+=", "->", "=>":
		s.steps(2)
	default:
		s.step()
	}
}

func (s *scanner) quoted(t token) token {
	return s.delimited(t, tokLiteral, '\'', "unterminated string literal")
}

func (s *scanner) set(t token) token {
	return s.delimited(t, tokSet, ']', "unterminated character set")
}

// delimited reads a token within a line up to its closing character. A backslash escapes the next character.
func (s *scanner) delimited(t token, kind tokenKind, end byte, problem string) token {
	t.kind = kind
	s.step()
	start := s.at
	for s.at < len(s.text) && s.peek(0) != '\n' && s.peek(0) != '\r' {
		switch s.peek(0) {
		case end:
			t.text = s.text[start:s.at]
			s.step()
			return t
		case '\\':
			s.step()
			if s.at == len(s.text) || s.peek(0) == '\n' || s.peek(0) == '\r' {
				continue
			}
		}
		s.step()
	}
	s.problems.add(t.Pos, "%s", problem)
	t.kind = tokBad
	return t
}

// nested reads code up to the closing bracket. It skips strings and, in braces, comments.
func (s *scanner) nested(t token, kind tokenKind, open, close byte) token {
	depth := 0
	start := s.at + 1
	for s.at < len(s.text) {
		switch c := s.peek(0); {
		case c == open:
			depth++
		case c == close:
			depth--
			if depth == 0 {
				t.kind, t.text = kind, s.text[start:s.at]
				s.step()
				return t
			}
		case c == '\\' && open == '{':
			s.step()
		case c == '"' || c == '\'':
			s.string(c)
		case c == '/' && open == '{' && (s.peek(1) == '/' || s.peek(1) == '*'):
			s.comment()
			continue
		}
		s.step()
	}
	s.broken = true
	if kind == tokArgs {
		s.problems.add(t.Pos, "unterminated [: its ] is missing")
	} else {
		s.problems.add(t.Pos, "unterminated action: its } is missing")
	}
	t.kind = tokBad
	return t
}

func (s *scanner) string(quote byte) {
	for s.step(); s.at < len(s.text) && s.peek(0) != quote; s.step() {
		if s.peek(0) == '\\' {
			s.step()
		}
	}
}

func (s *scanner) skipSpace() {
	for s.at < len(s.text) {
		switch c := s.peek(0); {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			s.step()
		case c == '/' && (s.peek(1) == '/' || s.peek(1) == '*'):
			s.comment()
		default:
			return
		}
	}
}

func (s *scanner) comment() {
	start := s.place
	if s.peek(1) == '/' {
		for s.at < len(s.text) && s.peek(0) != '\n' && s.peek(0) != '\r' {
			s.step()
		}
		return
	}
	for s.steps(2); s.at < len(s.text); s.step() {
		if s.peek(0) == '*' && s.peek(1) == '/' {
			s.steps(2)
			return
		}
	}
	s.broken = true
	s.problems.add(start, "unterminated comment: its */ is missing")
}

// peek returns the byte at offset i from the current one, or 0 at the end.
func (s *scanner) peek(i int) byte {
	if s.at+i < len(s.text) {
		return s.text[s.at+i]
	}
	return 0
}

func (s *scanner) rune() rune { return firstRune(s.text[s.at:]) }

func (s *scanner) step() {
	if s.at == len(s.text) {
		return
	}
	c := s.text[s.at]
	if c < utf8.RuneSelf {
		s.at++
	} else {
		_, n := utf8.DecodeRuneInString(s.text[s.at:])
		s.at += n
	}
	if c == '\n' || c == '\r' && s.peek(0) != '\n' {
		s.place.Line++
		s.place.Column = 1
	} else {
		s.place.Column++
	}
}

func (s *scanner) steps(n int) {
	for range n {
		s.step()
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isUpper(r rune) bool     { return unicode.IsUpper(r) }
func isNameStart(r rune) bool { return unicode.IsLetter(r) }
func isNamePart(r rune) bool {
	return r == '_' || r == '\u00b7' || unicode.In(r, unicode.L, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)
}
