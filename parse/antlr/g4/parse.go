package g4

import (
	"fmt"
	"strings"
)

// parser has a lookahead of one token, since the meaning of a bracket depends on the tokens before it.
type parser struct {
	*scanner
	tok, last token
	rule      string
	depth     int
	resume    bool // last is the name of a rule, and tok the colon after it
	stay      bool // tok begins a new rule or mode: recover stops there
}

// syntaxError is a panic of parser.fail.
type syntaxError struct{}

// parseFile parses as much of a file as possible.
func parseFile(path string, text []byte, problems *Problems) *file {
	p := &parser{scanner: &scanner{text: string(text), place: Pos{path, 1, 1}, problems: problems}}
	if p.begins("\ufeff") {
		p.at = 3
	}
	p.advance()
	src := &file{path: path}
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
				src.modes = append(src.modes, &section{name: p.name()})
				p.sign(";")
			})
		default:
			r := &Rule{}
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

func (p *parser) header(src *file) {
	switch {
	case p.acceptWord("lexer"):
		src.kind = lexerOnly
	case p.acceptWord("parser"):
		src.kind = parserOnly
	case p.isWord("tree"):
		p.fail("tree grammars belong to ANTLR 3")
	}
	if !p.acceptWord("grammar") {
		p.unexpected(`"grammar", "lexer grammar" or "parser grammar"`)
	}
	src.name = p.name()
	p.sign(";")
}

func (p *parser) prelude(allowed bool) {
	if !allowed {
		p.fail("%s must come before the first rule", p.tok.describe())
	}
}

func (p *parser) list(src *file) {
	switch p.tok.text {
	case "options":
		src.options = append(src.options, p.options()...)
	case "tokens":
		src.tokens = append(src.tokens, p.names()...)
	case "channels":
		src.channels = append(src.channels, p.names()...)
	}
}

func (p *parser) names() (names []ident) {
	p.advance()
	for !p.accept("}") {
		names = append(names, p.name())
		if !p.isSign("}") {
			p.sign(",")
		}
	}
	return names
}

func (p *parser) options() (options []option) {
	p.advance()
	for !p.accept("}") {
		name := p.name()
		p.sign("=")
		at := p.tok.Pos
		options = append(options, option{name, ident{at, p.value()}})
		p.sign(";")
	}
	return options
}

func (p *parser) value() string {
	text := p.tok.text
	switch p.tok.kind {
	case tokLiteral, tokNumber, tokAction:
		p.advance()
		return text
	}
	return p.dotted()
}

func (p *parser) dotted() string {
	var b strings.Builder
	for b.WriteString(p.name().text); p.accept("."); b.WriteString(p.name().text) {
		b.WriteByte('.')
	}
	return b.String()
}

func (p *parser) imports(src *file) {
	p.advance()
	for {
		name := p.name()
		if p.accept("=") {
			name = p.name()
		}
		src.importNames = append(src.importNames, name)
		if p.accept(";") {
			return
		}
		p.sign(",")
	}
}

func (p *parser) namedAction() {
	p.advance()
	if !p.acceptWord("lexer") && !p.acceptWord("parser") {
		p.name()
	}
	if p.accept("::") {
		p.name()
	}
	p.expect(tokAction, "an action in braces")
}

func (p *parser) parseRule(r *Rule) {
	if p.resume {
		p.resume = false
		r.Pos, r.Name = p.last.Pos, p.last.text
	} else {
		p.ruleName(r)
	}
	p.rule, p.inLexer = r.Name, isTokenName(r.Name)
	if p.inLexer {
		for p.isOpen("options") {
			r.options = append(r.options, p.options()...)
		}
	} else {
		p.signature(r)
	}
	p.sign(":")
	r.Body = p.alternatives(r.Pos, true)
	if !p.isSign(";") {
		p.unexpected(`";"`)
	}
	p.inLexer = false
	p.advance()
	for p.acceptWord("catch") {
		p.expect(tokArgs, "an exception in brackets")
		p.expect(tokAction, "an action in braces")
	}
	if p.acceptWord("finally") {
		p.expect(tokAction, "an action in braces")
	}
}

func (p *parser) ruleName(r *Rule) {
	for p.acceptWord("fragment") {
		r.fragment = true
	}
	modifier := p.isWord("public") || p.isWord("private") || p.isWord("protected") // in older versions of ANTLR
	if p.tok.kind != tokIdent || reserved[p.tok.text] {
		p.unexpected("the name of a rule")
	}
	r.Pos, r.Name = p.tok.Pos, p.tok.text
	p.inLexer = isTokenName(r.Name)
	if r.fragment && !p.inLexer {
		p.fail("parser rule %s cannot be a fragment", r.Name)
	}
	p.advance()
	if modifier && p.tok.kind == tokIdent && !reserved[p.tok.text] {
		r.Pos, r.Name = p.tok.Pos, p.tok.text
		p.inLexer = isTokenName(r.Name)
		p.advance()
	}
}

func (p *parser) signature(r *Rule) {
	p.advanceIf(p.tok.kind == tokArgs)
	for {
		switch {
		case p.acceptWord("returns"), p.acceptWord("locals"):
			p.expect(tokArgs, "declarations in brackets")
		case p.acceptWord("throws"):
			p.dotted()
			for p.accept(",") {
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

var reserved = map[string]bool{
	"import": true, "fragment": true, "lexer": true, "parser": true, "grammar": true, "returns": true, "locals": true,
	"throws": true, "catch": true, "finally": true, "mode": true,
}

func (p *parser) advance() { p.last, p.tok = p.tok, p.next() }

func (p *parser) isSign(text string) bool { return p.tok.kind == tokSign && p.tok.text == text }
func (p *parser) isWord(text string) bool { return p.tok.kind == tokIdent && p.tok.text == text }
func (p *parser) isOpen(text string) bool { return p.tok.kind == tokOpen && p.tok.text == text }

func (p *parser) accept(text string) bool     { return p.advanceIf(p.isSign(text)) }
func (p *parser) acceptWord(text string) bool { return p.advanceIf(p.isWord(text)) }

func (p *parser) advanceIf(is bool) bool {
	if is {
		p.advance()
	}
	return is
}

func (p *parser) name() ident {
	if p.tok.kind != tokIdent {
		p.unexpected("a name")
	}
	if reserved[p.tok.text] {
		p.fail("%q is a reserved word and cannot be a name", p.tok.text)
	}
	p.advance()
	return p.last.ident
}

func (p *parser) sign(text string) {
	if !p.accept(text) {
		p.unexpected(fmt.Sprintf("%q", text))
	}
}

func (p *parser) expect(kind tokenKind, description string) {
	if p.tok.kind != kind {
		p.unexpected(description)
	}
	p.advance()
}

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

func (p *parser) unexpected(expected string) {
	p.fail("unexpected %s, expected %s", p.tok.describe(), expected)
}

// fail reports a problem at the next token and aborts the innermost attempt.
func (p *parser) fail(format string, args ...any) {
	if p.tok.kind != tokBad && (p.tok.kind != tokEnd || !p.broken) {
		p.problems.add(p.tok.Pos, format, args...)
	}
	panic(syntaxError{})
}

// attempt reads a construct. On failure it skips past the next end.
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
