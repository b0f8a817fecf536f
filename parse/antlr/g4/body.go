package g4

import "strings"

// maxNesting limits nested brackets, so that no grammar exhausts the stack. Real grammars nest less than ten deep.
const maxNesting = 1000

func (p *parser) alternatives(at Pos, outermost bool) *Block {
	b := &Block{Pos: at}
	for {
		a := p.alternative()
		b.Alts = append(b.Alts, a)
		if outermost && !p.inLexer && p.accept("#") {
			a.Label = p.name().text
		}
		if !p.accept("|") {
			return b
		}
	}
}

func (p *parser) alternative() *Alt {
	a := &Alt{Pos: p.tok.Pos}
	if p.isSign("<") && !p.inLexer {
		a.RightAssoc = p.elementOptions()
	}
	for {
		e, label := p.element()
		if e == nil {
			break
		}
		a.Elements, a.labels = append(a.Elements, e), append(a.labels, label)
	}
	if p.inLexer && p.accept("->") {
		a.commands = p.commands()
	}
	return a
}

func (p *parser) elementOptions() (rightAssoc bool) {
	p.sign("<")
	for {
		name := p.dotted()
		if p.accept("=") && p.value() == "right" && name == "assoc" {
			rightAssoc = true
		}
		if p.accept(">") {
			return rightAssoc
		}
		p.sign(",")
	}
}

func (p *parser) commands() (commands []lexerCommand) {
	for {
		c := lexerCommand{name: p.tok.ident}
		if !p.acceptWord("mode") {
			p.name()
		}
		if p.accept("(") {
			arg := p.tok.ident
			if p.tok.kind == tokNumber {
				p.advance()
			} else {
				p.name()
			}
			c.arg = &arg
			p.sign(")")
		}
		commands = append(commands, c)
		if !p.accept(",") {
			return commands
		}
	}
}

// element reads an element with its label and suffix, or returns nil if none comes next.
func (p *parser) element() (e Element, label string) {
	at := p.tok.Pos
	switch p.tok.kind {
	case tokAction, tokPredicate:
		c := &Code{Pos: at, Predicate: p.tok.kind == tokPredicate, Text: strings.TrimSpace(p.tok.text)}
		p.advance()
		p.optionsOfElement()
		return c, ""
	case tokIdent:
		p.checkRuleEnds()
		name := p.name()
		if !p.accept("=") && !p.accept("+=") {
			e = p.reference(name)
			break
		}
		label = name.text
		if e = p.atom(); e == nil {
			p.unexpected("an element after the label")
		}
	case tokSign:
		if p.isSign(":") && p.last.kind == tokIdent && !reserved[p.last.text] {
			p.problems.add(p.last.Pos, `rule %s has no ";" before %s`, p.rule, p.last.text)
			p.resume = true
			panic(syntaxError{})
		}
		e = p.atom()
	default:
		e = p.atom()
	}
	if e == nil {
		return nil, ""
	}
	return p.suffix(at, e), label
}

// checkRuleEnds fails at a word that only begins rules or modes.
func (p *parser) checkRuleEnds() {
	switch p.tok.text {
	case "mode":
		p.stay = p.inLexer
	case "fragment":
		p.stay = true
	}
	if p.stay {
		p.fail(`rule %s has no ";" before %q`, p.rule, p.tok.text)
	}
}

func (p *parser) suffix(at Pos, e Element) Element {
	r := &Repeat{Pos: at}
	switch {
	case p.accept("?"):
		r.Optional = true
	case p.accept("*"):
		r.Optional, r.Many = true, true
	case p.accept("+"):
		r.Many = true
	default:
		return e
	}
	r.NonGreedy = p.accept("?")
	body, ok := e.(*Block)
	if !ok {
		body = &Block{Pos: at, Alts: []*Alt{{Pos: at, Elements: []Element{e}}}}
	}
	r.Body = body
	return r
}

// atom reads an element without label and suffix, or returns nil.
func (p *parser) atom() Element {
	at := p.tok.Pos
	switch {
	case p.tok.kind == tokIdent:
		return p.reference(p.name())
	case p.tok.kind == tokLiteral, p.tok.kind == tokSet:
		return p.setMember()
	case p.accept("."):
		p.optionsOfElement()
		return &Set{Pos: at, Not: true}
	case p.accept("~"):
		if p.isSign("(") {
			return not{at, p.negated()}
		}
		return not{at, p.setMember()}
	case p.isSign("("):
		return p.block()
	}
	return nil
}

func (p *parser) block() *Block {
	at := p.tok.Pos
	if p.depth++; p.depth > maxNesting {
		p.fail("brackets are nested more than %d deep", maxNesting)
	}
	p.advance()
	if p.isOpen("options") || p.isSign("@") {
		if p.isOpen("options") {
			p.options()
		}
		for p.isSign("@") {
			p.namedAction()
		}
		p.sign(":")
	}
	b := p.alternatives(at, false)
	p.sign(")")
	p.depth--
	return b
}

func (p *parser) negated() *Block {
	b := &Block{Pos: p.tok.Pos}
	for {
		p.advance()
		at := p.tok.Pos
		b.Alts = append(b.Alts, &Alt{Pos: at, Elements: []Element{p.setMember()}})
		if !p.isSign("|") {
			p.sign(")")
			return b
		}
	}
}

func (p *parser) setMember() Element {
	t := p.tok
	switch {
	case t.kind == tokSet:
		p.advance()
		return charSet{t.ident}
	case t.kind == tokIdent && isTokenName(t.text):
		p.advance()
		p.optionsOfElement()
		return ref{t.ident}
	case t.kind != tokLiteral:
		p.unexpected("a token, a literal or a set")
	}
	p.advance()
	from := literal{t.ident}
	if !p.accept("..") {
		p.optionsOfElement()
		return from
	}
	to := literal{p.tok.ident}
	p.expect(tokLiteral, "the literal that ends the range")
	return span{from, to}
}

func (p *parser) reference(name ident) Element {
	if !p.inLexer && !isTokenName(name.text) {
		p.advanceIf(p.tok.kind == tokArgs)
	}
	p.optionsOfElement()
	return ref{name}
}

func (p *parser) optionsOfElement() {
	if p.isSign("<") {
		p.elementOptions()
	}
}
