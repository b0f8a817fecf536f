package g4

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

// parse reads a file as far as it can be understood.
func parse(path string, text []byte, problems *Problems) *source {
	p := &parser{scanner: newScanner(path, text, problems)}
	p.advance()
	src := &source{path: path}
	p.attempt(";", func() { p.header(src) })
	for p.tok.kind != tokEnd {
		switch first := len(src.rules) == 0 && len(src.modes) == 0; {
		case !p.resume && p.tok.kind == tokOpen:
			p.attempt("}", func() { p.prelude(first); p.list(src) })
		case !p.resume && p.isSign("@"):
			p.attempt(";", func() { p.prelude(first); p.namedAction() })
		case !p.resume && p.isWord("import"):
			p.attempt(";", func() { p.prelude(first); p.imports(src) })
		case !p.resume && p.isWord("mode"):
			p.attempt(";", func() {
				p.advance()
				src.modes = append(src.modes, &mode{name: p.name()})
				p.sign(";")
			})
		default:
			r := &rule{}
			rules := &src.rules
			if n := len(src.modes); n > 0 {
				rules = &src.modes[n-1].rules
			}
			*rules = append(*rules, r)
			p.attempt(";", func() { p.parseRule(r) })
		}
	}
	return src
}

func (p *parser) header(src *source) {
	switch {
	case p.isWord("lexer"):
		src.kind = lexerOnly
		p.advance()
	case p.isWord("parser"):
		src.kind = parserOnly
		p.advance()
	case p.isWord("tree"):
		p.fail("tree grammars are of ANTLR 3")
	}
	if !p.isWord("grammar") {
		p.unexpected(`"grammar", "lexer grammar" or "parser grammar"`)
	}
	p.advance()
	src.name = p.name()
	p.sign(";")
}

// prelude fails behind the first rule.
func (p *parser) prelude(allowed bool) {
	if !allowed {
		p.fail("%s must come before the first rule", p.tok.describe())
	}
}

// list reads options, tokens or channels.
func (p *parser) list(src *source) {
	switch p.tok.text {
	case "options":
		src.options = append(src.options, p.options()...)
		return
	case "tokens":
		src.tokens = append(src.tokens, p.names()...)
	case "channels":
		src.channels = append(src.channels, p.names()...)
	}
}

func (p *parser) names() (names []ident) {
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

func (p *parser) options() (options []option) {
	p.advance()
	for !p.isSign("}") {
		o := option{name: p.name()}
		p.sign("=")
		at := p.tok.Pos
		o.value = ident{at, p.value()}
		p.sign(";")
		options = append(options, o)
	}
	p.advance()
	return options
}

// value reads the value of an option.
func (p *parser) value() string {
	text := p.tok.text
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
		b.WriteString(p.name().text)
		if !p.isSign(".") {
			return b.String()
		}
		p.advance()
		b.WriteByte('.')
	}
}

func (p *parser) imports(src *source) {
	p.advance()
	for {
		name := p.name()
		if p.isSign("=") {
			p.advance()
			name = p.name()
		}
		src.importNames = append(src.importNames, name)
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

func (p *parser) parseRule(r *rule) {
	if p.resume {
		p.resume = false
		r.name = p.last.ident
	} else {
		for p.isWord("fragment") {
			r.fragment = true
			p.advance()
		}
		modifier := p.isWord("public") || p.isWord("private") || p.isWord("protected") // of older versions of ANTLR
		if p.tok.kind != tokIdent || reserved[p.tok.text] {
			p.unexpected("the name of a rule")
		}
		r.name = p.tok.ident
		p.inLexer = isTokenName(r.name.text)
		if r.fragment && !p.inLexer {
			p.fail("parser rule %s cannot be a fragment", r.name.text)
		}
		p.advance()
		if modifier && p.tok.kind == tokIdent && !reserved[p.tok.text] {
			r.name = p.tok.ident
			p.inLexer = isTokenName(r.name.text)
			p.advance()
		}
	}
	p.rule, p.inLexer = r.name.text, isTokenName(r.name.text)
	if p.inLexer {
		for p.isOpen("options") {
			r.options = append(r.options, p.options()...)
		}
	} else {
		p.signature(r)
	}
	p.sign(":")
	r.body = p.alternatives(r.name.Pos, true)
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
func (p *parser) signature(r *rule) {
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
			r.options = append(r.options, p.options()...)
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
	"import": true, "fragment": true, "lexer": true, "parser": true, "grammar": true, "returns": true, "locals": true, "throws": true, "catch": true,
	"finally": true, "mode": true,
}

func (p *parser) advance() { p.last, p.tok = p.tok, p.next() }

func (p *parser) isSign(text string) bool { return p.tok.kind == tokSign && p.tok.text == text }
func (p *parser) isWord(text string) bool { return p.tok.kind == tokIdent && p.tok.text == text }
func (p *parser) isOpen(text string) bool { return p.tok.kind == tokOpen && p.tok.text == text }

func (p *parser) name() ident {
	if p.tok.kind != tokIdent {
		p.unexpected("a name")
	}
	if reserved[p.tok.text] {
		p.fail("%q is a reserved word, and no name", p.tok.text)
	}
	p.advance()
	return p.last.ident
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
	text := t.text
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
		p.problems.add(p.tok.Pos, format, args...)
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
