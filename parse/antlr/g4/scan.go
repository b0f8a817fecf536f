package g4

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd   tokenKind = iota
	tokBad             // already reported
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

type scanner struct {
	text     string
	at       int
	place    Pos  // of text[at]
	inLexer  bool // set by the parser: brackets are sets
	problems *Problems
	broken   bool // an unterminated construct: no second problem at the end of the file
}

// The groups of literalText and setText are the text and its end, which may be missing. The groups of plainText are a
// name and a number; a token without them is a sign.
var (
	literalText = regexp.MustCompile(`^'((?:\\[^\r\n]|[^'\\\r\n])*)\\?('?)`)
	setText     = regexp.MustCompile(`^\[((?:\\[^\r\n]|[^\]\\\r\n])*)\\?(\]?)`)
	plainText   = regexp.MustCompile(`(?s)^(?:(\pL[\pL\p{Nd}\p{Mn}\p{Mc}\p{Pc}\x{b7}]*)|([0-9]+)|::|\.\.|\+=|->|=>|.)`)
)

func (s *scanner) next() token {
	s.skipSpace()
	t := token{ident: ident{Pos: s.place}}
	switch {
	case s.at == len(s.text):
		return t
	case s.begins("'"):
		return s.delimited(t, tokLiteral, literalText, "unterminated string literal")
	case s.begins("[") && s.inLexer:
		return s.delimited(t, tokSet, setText, "unterminated character set")
	case s.begins("["):
		return s.nested(t, tokArgs, '[', ']', "unterminated [: its ] is missing")
	case s.begins("{"):
		t = s.nested(t, tokAction, '{', '}', "unterminated action: its } is missing")
		if t.kind == tokAction && s.take("?") {
			t.kind = tokPredicate
			s.take("=>") // ANTLR 3
		}
		return t
	}
	found := plainText.FindStringSubmatch(s.rest())
	t.text = found[0]
	s.skip(len(t.text))
	switch r := firstRune(t.text); {
	case found[1] != "":
		t.kind = tokIdent
		s.open(&t)
	case found[2] != "":
		t.kind = tokNumber
	case r == '"':
		return s.bad(t, "unexpected '\"': literals are written in single quotes")
	case r == utf8.RuneError || unicode.IsControl(r) || r == '\\':
		return s.bad(t, "unexpected character %q", r)
	default:
		t.kind = tokSign
	}
	return t
}

// open makes one token of "options {" and the like. Without the brace these words are names.
func (s *scanner) open(t *token) {
	switch t.text {
	case "options", "tokens", "channels":
		at, place := s.at, s.place
		s.skipSpace()
		if s.take("{") {
			t.kind = tokOpen
		} else {
			s.at, s.place = at, place
		}
	}
}

func (s *scanner) bad(t token, format string, args ...any) token {
	s.problems.add(t.Pos, format, args...)
	t.kind = tokBad
	return t
}

func (s *scanner) delimited(t token, kind tokenKind, pattern *regexp.Regexp, unterminated string) token {
	found := pattern.FindStringSubmatch(s.rest())
	s.skip(len(found[0]))
	if found[2] == "" {
		return s.bad(t, "%s", unterminated)
	}
	t.kind, t.text = kind, found[1]
	return t
}

// nested reads code up to the closing bracket. It skips strings and, in braces, comments.
func (s *scanner) nested(t token, kind tokenKind, open, close byte, unterminated string) token {
	start := s.at + 1
	for depth := 0; s.at < len(s.text); {
		switch c := s.text[s.at]; {
		case c == open:
			depth++
		case c == close:
			if depth--; depth == 0 {
				t.kind, t.text = kind, s.text[start:s.at]
				s.step()
				return t
			}
		case c == '\\' && open == '{':
			s.step()
		case c == '"' || c == '\'':
			s.string(c)
		case open == '{' && s.comment():
			continue
		}
		s.step()
	}
	s.broken = true
	return s.bad(t, "%s", unterminated)
}

func (s *scanner) string(quote byte) {
	for s.step(); s.at < len(s.text) && s.text[s.at] != quote; s.step() {
		if s.text[s.at] == '\\' {
			s.step()
		}
	}
}

func (s *scanner) skipSpace() {
	for again := true; again; again = s.comment() {
		s.skip(len(s.rest()) - len(strings.TrimLeft(s.rest(), " \t\n\r\f")))
	}
}

func (s *scanner) comment() bool {
	rest := s.rest()
	switch {
	case s.begins("//"):
		line := strings.IndexAny(rest, "\r\n")
		if line < 0 {
			line = len(rest)
		}
		s.skip(line)
	case s.begins("/*"):
		_, after, ended := strings.Cut(rest[2:], "*/")
		if !ended {
			s.broken = true
			s.problems.add(s.place, "unterminated comment: its */ is missing")
		}
		s.skip(len(rest) - len(after))
	default:
		return false
	}
	return true
}

func (s *scanner) rest() string { return s.text[s.at:] }

func (s *scanner) begins(text string) bool { return strings.HasPrefix(s.rest(), text) }

func (s *scanner) take(text string) bool {
	is := s.begins(text)
	if is {
		s.skip(len(text))
	}
	return is
}

func (s *scanner) skip(n int) {
	for end := s.at + n; s.at < end; {
		s.step()
	}
}

func (s *scanner) step() {
	c, n := utf8.DecodeRuneInString(s.rest())
	s.at += n
	if c == '\n' || c == '\r' && !s.begins("\n") {
		s.place.Line++
		s.place.Column = 1
	} else if n > 0 {
		s.place.Column++
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isTokenName(name string) bool { return unicode.IsUpper(firstRune(name)) }
