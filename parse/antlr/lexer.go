package antlr

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"
)

// token is a token of a file: source[start:end].
type token struct {
	start, end int32
	kind       uint16 // token type; 0 if hidden
	mode       uint16
}

type lexed struct {
	tokens []token // for the parser, without EOF
	hidden []token // comments and the like, and invalid text with kind 1, but no white space
	errors []fault
}

type fault struct {
	offset int32
	text   string
}

// scanner runs the library's lexer on bytes, without the library's allocation for each token.
type scanner struct {
	*antlr.BaseLexer // for methods that the library never calls
	interp           *antlr.LexerATNSimulator
	in               *chars
	kind             int
	channel          int
	mode             int
	modes            []int
	bad              bool // popMode with an empty stack
	begun            bool
}

func newScanner(atn *antlr.ATN, dfas []*antlr.DFA, cache *antlr.PredictionContextCache) *scanner {
	s := &scanner{BaseLexer: antlr.NewBaseLexer(nil)}
	s.RemoveErrorListeners()
	s.interp = antlr.NewLexerATNSimulator(s, atn, dfas, cache)
	return s
}

func (s *scanner) SetType(t int)    { s.kind = t }
func (s *scanner) SetChannel(c int) { s.channel = c }
func (s *scanner) SetMode(m int)    { s.mode = m }
func (s *scanner) Skip()            { s.kind = antlr.LexerSkip }
func (s *scanner) More()            { s.kind = antlr.LexerMore }

func (s *scanner) PushMode(m int) {
	s.modes = append(s.modes, s.mode)
	s.mode = m
}

func (s *scanner) PopMode() int {
	if len(s.modes) == 0 {
		s.bad = true
		return s.mode
	}
	s.mode = s.modes[len(s.modes)-1]
	s.modes = s.modes[:len(s.modes)-1]
	return s.mode
}

func (s *scanner) Action(antlr.RuleContext, int, int) {}

// maxEmpty limits the empty tokens at one position.
const maxEmpty = 1000

// next reads a token. wrong means that no rule matches its text.
func (s *scanner) next() (t token, channel int, ok, wrong bool) {
	if s.in.at >= len(s.in.text) && s.begun {
		return token{}, 0, false, false
	}
	s.begun = true // a rule may match the end of an empty file
	t = token{start: int32(s.in.at), mode: uint16(s.mode)}
	s.channel = antlr.TokenDefaultChannel
	for {
		s.kind = antlr.TokenInvalidType
		kind, matched := s.match()
		if !matched {
			if s.in.at < len(s.in.text) {
				s.in.Consume()
			}
			t.end = int32(s.in.at)
			return t, antlr.TokenHiddenChannel, true, t.start < t.end
		}
		if s.kind == antlr.TokenInvalidType {
			s.kind = kind
		}
		if s.kind != antlr.LexerMore {
			break
		}
		if s.in.at >= len(s.in.text) { // the text ends after "more"
			t.end = int32(s.in.at)
			return t, 0, true, true
		}
	}
	t.end = int32(s.in.at)
	wrong, s.bad = s.bad, false
	if s.kind == antlr.LexerSkip || s.kind == antlr.TokenEOF {
		return t, antlr.TokenHiddenChannel, true, wrong
	}
	t.kind = uint16(s.kind)
	return t, s.channel, true, wrong
}

func (s *scanner) match() (kind int, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, noMatch := r.(*antlr.LexerNoViableAltException); !noMatch {
				panic(r)
			}
			kind, ok = 0, false
		}
	}()
	return s.interp.Match(s.in, s.mode), true
}

func (s *scanner) reset(text []byte, mode int) {
	s.in = &chars{text: text}
	s.mode, s.modes, s.bad, s.begun = mode, s.modes[:0], false, false
}

func (s *scanner) scan(source []byte) *lexed {
	s.reset(source, antlr.LexerDefaultMode)
	if len(source) >= 3 && string(source[:3]) == "\ufeff" {
		s.in.at = 3
	}
	out := &lexed{tokens: make([]token, 0, len(source)/2+1)} // enough for most files
	empty := 0
	for {
		t, channel, ok, wrong := s.next()
		if !ok {
			return out
		}
		if t.start < t.end {
			empty = 0
		} else if empty++; empty >= maxEmpty {
			s.in.Consume()
			t.end, wrong = int32(s.in.at), true
		}
		switch {
		case wrong:
			out.wrong(source, t)
		case channel == antlr.TokenDefaultChannel:
			out.tokens = append(out.tokens, t)
		case !blank(source[t.start:t.end]):
			t.kind = 0
			out.hidden = append(out.hidden, t)
		}
	}
}

// wrong merges adjacent invalid text into one error.
func (l *lexed) wrong(source []byte, t token) {
	t.kind = 1
	if n, k := len(l.hidden), len(l.errors); n > 0 && k > 0 &&
		l.hidden[n-1].end == t.start && l.errors[k-1].offset == l.hidden[n-1].start {
		l.hidden[n-1].end = t.end
		return
	}
	l.hidden = append(l.hidden, t)
	l.errors = append(l.errors, fault{t.start, "no token begins with " + quote(source[t.start:t.end])})
}

// blank reports whether text is white space, or backslashes that hide line breaks.
func blank(text []byte) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == '\\' && len(text) > 1 && (text[1] == '\n' || text[1] == '\r') {
			n = 2
		} else if !unicode.IsSpace(r) && r != '\ufeff' {
			return false
		}
		text = text[n:]
	}
	return true
}

// glued reports whether a, read in mode, and b need a space between them.
func (s *scanner) glued(mode int, a, b []byte) bool {
	return !s.apart(mode, a, nil, b) && s.apart(mode, a, []byte{' '}, b)
}

// apart reports whether a, gap and b are read as the tokens a and b. Without a gap only a counts, since b may begin an
// unterminated string.
func (s *scanner) apart(mode int, a, gap, b []byte) bool {
	s.reset(slices.Concat(a, gap, b), mode)
	t, _, ok, wrong := s.next()
	if !ok || wrong || int(t.end) != len(a) {
		return false
	}
	if len(gap) == 0 {
		return true
	}
	t, channel, ok, wrong := s.next()
	return ok && !wrong && channel != antlr.TokenDefaultChannel && int(t.end) == len(a)+len(gap)
}

// chars is a text for the library, indexed by byte. Invalid UTF-8 is U+FFFD.
type chars struct {
	antlr.CharStream // for methods that the library never calls
	text             []byte
	at               int
}

func (c *chars) Consume() {
	if c.at < len(c.text) {
		_, n := utf8.DecodeRune(c.text[c.at:])
		c.at += n
	}
}

func (c *chars) LA(offset int) int {
	at := c.at
	for ; offset > 1 && at < len(c.text); offset-- {
		_, n := utf8.DecodeRune(c.text[at:])
		at += n
	}
	if at >= len(c.text) {
		return antlr.TokenEOF
	}
	if b := c.text[at]; b < utf8.RuneSelf {
		return int(b)
	}
	r, _ := utf8.DecodeRune(c.text[at:])
	return int(r)
}

func (c *chars) Mark() int   { return 0 }
func (c *chars) Release(int) {}
func (c *chars) Index() int  { return c.at }
func (c *chars) Seek(i int)  { c.at = i }
func (c *chars) Size() int   { return len(c.text) }

var _ antlr.Lexer = (*scanner)(nil)
