package syntax

import (
	"fmt"
	"strings"
)

// parser reads the parts of a grammar file. It looks one token ahead, no more,
// for what a bracket means depends on the tokens before it.
type parser struct {
	*scanner
	tok, last token // the next token, and the one before it
	rule      string
	depth     int
	resume    bool // last is the name of a rule, and tok the colon behind it
	stay      bool // tok begins something new: recover goes no further
}

// syntaxError is thrown by parser.fail and caught by parser.attempt.
type syntaxError struct{}

// Parse reads a file as far as it can be understood.
func Parse(path string, text []byte, problems *Problems) *File {
	p := &parser{scanner: newScanner(path, text, problems)}
	p.advance()
	src := &File{Path: path}
	p.attempt(";", func() { p.header(src) })
	for p.tok.kind != tokEnd {
		switch first := len(src.Rules) == 0 && len(src.Modes) == 0; {
		case !p.resume && p.tok.kind == tokOpen:
			p.attempt("}", func() { p.prelude(first); p.list(src) })
		case !p.resume && p.isSign("@"):
			p.attempt(";", func() { p.prelude(first); p.namedAction() })
		case !p.resume && p.isWord("import"):
			p.attempt(";", func() { p.prelude(first); p.imports(src) })
		case !p.resume && p.isWord("mode"):
			p.attempt(";", func() {
				p.advance()
				src.Modes = append(src.Modes, &Mode{Name: p.name()})
				p.sign(";")
			})
		default:
			r := &Rule{}
			rules := &src.Rules
			if n := len(src.Modes); n > 0 {
				rules = &src.Modes[n-1].Rules
			}
			*rules = append(*rules, r)
			p.attempt(";", func() { p.parseRule(r) })
		}
	}
	return src
}

func (p *parser) header(src *File) {
	switch {
	case p.isWord("lexer"):
		src.Kind = LexerOnly
		p.advance()
	case p.isWord("parser"):
		src.Kind = ParserOnly
		p.advance()
	case p.isWord("tree"):
		p.fail("tree grammars are of ANTLR 3")
	}
	if !p.isWord("grammar") {
		p.unexpected(`"grammar", "lexer grammar" or "parser grammar"`)
	}
	p.advance()
	src.Name = p.name()
	p.sign(";")
}

// prelude fails behind the first rule.
func (p *parser) prelude(allowed bool) {
	if !allowed {
		p.fail("%s must come before the first rule", p.tok.describe())
	}
}

// list reads options, tokens or channels.
func (p *parser) list(src *File) {
	switch p.tok.Text {
	case "options":
		src.Options = append(src.Options, p.options()...)
		return
	case "tokens":
		src.Tokens = append(src.Tokens, p.names()...)
	case "channels":
		src.Channels = append(src.Channels, p.names()...)
	}
}

func (p *parser) names() (names []Ident) {
	p.advance()
	for !p.isSign("}") {
		names = append(names, p.name())
		if !p.isSign("}") {
			p.sign(",")
		}
	}
	p.advance()
	return names
}

func (p *parser) options() (options []Option) {
	p.advance()
	for !p.isSign("}") {
		o := Option{Name: p.name()}
		p.sign("=")
		at := p.tok.Pos
		o.Value = Ident{at, p.value()}
		p.sign(";")
		options = append(options, o)
	}
	p.advance()
	return options
}

// value reads the value of an option.
func (p *parser) value() string {
	text := p.tok.Text
	switch p.tok.kind {
	case tokLiteral, tokNumber, tokAction:
		p.advance()
		return text
	}
	return p.dotted()
}

// dotted reads names with dots between them.
func (p *parser) dotted() string {
	var b strings.Builder
	for {
		b.WriteString(p.name().Text)
		if !p.isSign(".") {
			return b.String()
		}
		p.advance()
		b.WriteByte('.')
	}
}

func (p *parser) imports(src *File) {
	p.advance()
	for {
		name := p.name()
		if p.isSign("=") {
			p.advance()
			name = p.name()
		}
		src.ImportNames = append(src.ImportNames, name)
		if p.isSign(";") {
			p.advance()
			return
		}
		p.sign(",")
	}
}

// namedAction reads the like of @lexer::members {...}.
func (p *parser) namedAction() {
	p.advance()
	if p.isWord("lexer") || p.isWord("parser") {
		p.advance()
	} else {
		p.name()
	}
	if p.isSign("::") {
		p.advance()
		p.name()
	}
	p.expect(tokAction, "an action in braces")
}

func (p *parser) parseRule(r *Rule) {
	if p.resume {
		p.resume = false
		r.Name = p.last.Ident
	} else {
		for p.isWord("fragment") {
			r.Fragment = true
			p.advance()
		}
		modifier := p.isWord("public") || p.isWord("private") || p.isWord("protected") // of older versions of ANTLR
		if p.tok.kind != tokIdent || reserved[p.tok.Text] {
			p.unexpected("the name of a rule")
		}
		r.Name = p.tok.Ident
		p.inLexer = IsTokenName(r.Name.Text)
		if r.Fragment && !p.inLexer {
			p.fail("parser rule %s cannot be a fragment", r.Name.Text)
		}
		p.advance()
		if modifier && p.tok.kind == tokIdent && !reserved[p.tok.Text] {
			r.Name = p.tok.Ident
			p.inLexer = IsTokenName(r.Name.Text)
			p.advance()
		}
	}
	p.rule, p.inLexer = r.Name.Text, IsTokenName(r.Name.Text)
	if p.inLexer {
		for p.isOpen("options") {
			r.Options = append(r.Options, p.options()...)
		}
	} else {
		p.signature(r)
	}
	p.sign(":")
	r.Body = p.alternatives(r.Name.Pos, true)
	if !p.isSign(";") {
		p.unexpected(`";"`)
	}
	p.inLexer = false
	p.advance()
	for p.isWord("catch") {
		p.advance()
		p.expect(tokArgs, "an exception in brackets")
		p.expect(tokAction, "an action in braces")
	}
	if p.isWord("finally") {
		p.advance()
		p.expect(tokAction, "an action in braces")
	}
}

// signature reads what stands between the name of a parser rule and the colon.
func (p *parser) signature(r *Rule) {
	p.optional(tokArgs)
	for {
		switch {
		case p.isWord("returns"), p.isWord("locals"):
			p.advance()
			p.expect(tokArgs, "declarations in brackets")
		case p.isWord("throws"):
			p.advance()
			p.dotted()
			for p.isSign(",") {
				p.advance()
				p.dotted()
			}
		case p.isOpen("options"):
			r.Options = append(r.Options, p.options()...)
		case p.isSign("@"):
			p.namedAction()
		default:
			return
		}
	}
}

// Tokens.

// reserved are the words that are no names.
var reserved = map[string]bool{
	"import": true, "fragment": true, "lexer": true, "parser": true, "grammar": true, "returns": true, "locals": true,
	"throws": true, "catch": true, "finally": true, "mode": true,
}

func (p *parser) advance() { p.last, p.tok = p.tok, p.next() }

func (p *parser) isSign(text string) bool { return p.tok.kind == tokSign && p.tok.Text == text }
func (p *parser) isWord(text string) bool { return p.tok.kind == tokIdent && p.tok.Text == text }
func (p *parser) isOpen(text string) bool { return p.tok.kind == tokOpen && p.tok.Text == text }

func (p *parser) name() Ident {
	if p.tok.kind != tokIdent {
		p.unexpected("a name")
	}
	if reserved[p.tok.Text] {
		p.fail("%q is a reserved word, and no name", p.tok.Text)
	}
	p.advance()
	return p.last.Ident
}

func (p *parser) sign(text string) {
	if !p.isSign(text) {
		p.unexpected(fmt.Sprintf("%q", text))
	}
	p.advance()
}

func (p *parser) expect(kind tokenKind, what string) {
	if p.tok.kind != kind {
		p.unexpected(what)
	}
	p.advance()
}

func (p *parser) optional(kind tokenKind) {
	if p.tok.kind == kind {
		p.advance()
	}
}

// describe says what a token is.
func (t token) describe() string {
	text := t.Text
	switch t.kind {
	case tokEnd:
		return "the end of the file"
	case tokLiteral:
		text = "'" + text + "'"
	case tokSet, tokArgs:
		text = "[" + text + "]"
	case tokAction, tokPredicate:
		return "an action"
	case tokOpen:
		text += " {"
	}
	return fmt.Sprintf("%q", text)
}

// Errors.

// unexpected gives up because the next token is not what it should be.
func (p *parser) unexpected(wanted string) {
	p.fail("unexpected %s, expected %s", p.tok.describe(), wanted)
}

// fail reports a problem at the next token and gives up what is being read.
func (p *parser) fail(format string, args ...any) {
	if p.tok.kind != tokBad && (p.tok.kind != tokEnd || !p.broken) {
		p.problems.Add(p.tok.Pos, format, args...)
	}
	panic(syntaxError{})
}

// attempt reads something that ends with a sign, and if that fails goes to
// behind the next such sign.
func (p *parser) attempt(end string, read func()) {
	defer func() {
		switch failure := recover(); failure.(type) {
		case nil:
		case syntaxError:
			p.depth = 0
			p.recover(end)
		default:
			panic(failure)
		}
	}()
	read()
}

func (p *parser) recover(end string) {
	for !p.resume && !p.stay && p.tok.kind != tokEnd {
		found := p.isSign(end)
		p.advance()
		if found {
			return
		}
	}
	p.stay = false
}
