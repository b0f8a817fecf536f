package g4

// maxNesting is how deep brackets may be nested, so that no grammar exhausts
// the stack. People write less than ten.
const maxNesting = 1000

// alternatives reads the body of a rule or block up to what ends it.
func (p *parser) alternatives(at Pos, outermost bool) *block {
	b := &block{Pos: at}
	for {
		a := p.alternative()
		b.alts = append(b.alts, a)
		if outermost && !p.inLexer && p.isSign("#") {
			p.advance()
			a.label = p.name().text
		}
		if !p.isSign("|") {
			return b
		}
		p.advance()
	}
}

func (p *parser) alternative() *alt {
	a := &alt{Pos: p.tok.Pos}
	if p.isSign("<") && !p.inLexer {
		a.rightAssoc = p.elementOptions()
	}
	for {
		e, label := p.element()
		if e == nil {
			break
		}
		a.elements, a.labels = append(a.elements, e), append(a.labels, label)
	}
	if p.inLexer && p.isSign("->") {
		p.advance()
		a.commands = p.commands()
	}
	return a
}

// elementOptions reads the like of <assoc=right>, and gives whether it is just
// this.
func (p *parser) elementOptions() (rightAssoc bool) {
	p.sign("<")
	for {
		name := p.dotted()
		if p.isSign("=") {
			p.advance()
			if p.value() == "right" && name == "assoc" {
				rightAssoc = true
			}
		}
		if p.isSign(">") {
			p.advance()
			return rightAssoc
		}
		p.sign(",")
	}
}

func (p *parser) commands() (commands []command) {
	for {
		c := command{}
		if p.isWord("mode") {
			c.name = p.tok.ident
			p.advance()
		} else {
			c.name = p.name()
		}
		if p.isSign("(") {
			p.advance()
			arg := p.tok.ident
			if p.tok.kind == tokNumber {
				p.advance()
			} else {
				arg = p.name()
			}
			c.arg = &arg
			p.sign(")")
		}
		commands = append(commands, c)
		if !p.isSign(",") {
			return commands
		}
		p.advance()
	}
}

// element reads an element with its label and suffix; nil if there is none.
func (p *parser) element() (e element, label string) {
	at := p.tok.Pos
	switch p.tok.kind {
	case tokAction, tokPredicate:
		c := code{p.tok.ident, p.tok.kind == tokPredicate}
		p.advance()
		p.optionsOfElement()
		return c, ""
	case tokIdent:
		p.checkRuleEnds()
		name := p.name()
		if !p.isSign("=") && !p.isSign("+=") {
			e = p.reference(name)
			break
		}
		p.advance()
		label = name.text
		if e = p.atom(); e == nil {
			p.unexpected("what the label is for")
		}
	case tokSign:
		if p.isSign(":") && p.last.kind == tokIdent && !reserved[p.last.text] {
			p.problems.add(p.last.Pos, `rule %s has no ";" before %s`, p.rule, p.last.text)
			p.resume = true
			panic(syntaxError{})
		}
		fallthrough
	default:
		e = p.atom()
	}
	if e == nil {
		return nil, ""
	}
	return p.suffix(at, e), label
}

// checkRuleEnds fails at a word with which only another rule can begin.
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

// suffix reads ?, * or + behind an element.
func (p *parser) suffix(at Pos, e element) element {
	r := repeat{Pos: at, body: e}
	switch {
	case p.isSign("?"):
		r.optional = true
	case p.isSign("*"):
		r.optional, r.many = true, true
	case p.isSign("+"):
		r.many = true
	default:
		return e
	}
	p.advance()
	if p.isSign("?") {
		r.nonGreedy = true
		p.advance()
	}
	return r
}

// atom reads an element without label and suffix; nil if there is none.
func (p *parser) atom() element {
	at := p.tok.Pos
	switch {
	case p.tok.kind == tokIdent:
		return p.reference(p.name())
	case p.tok.kind == tokLiteral, p.tok.kind == tokSet:
		return p.setMember()
	case p.isSign("."):
		p.advance()
		p.optionsOfElement()
		return wildcard{at}
	case p.isSign("~"):
		p.advance()
		n := not{Pos: at}
		if p.isSign("(") {
			n.of = p.negated()
		} else {
			n.of = p.setMember()
		}
		return n
	case p.isSign("("):
		return p.block()
	}
	return nil
}

func (p *parser) block() *block {
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

// negated reads the alternatives in the brackets behind ~.
func (p *parser) negated() *block {
	b := &block{Pos: p.tok.Pos}
	for {
		p.advance()
		at := p.tok.Pos
		b.alts = append(b.alts, &alt{Pos: at, elements: []element{p.setMember()}})
		if !p.isSign("|") {
			p.sign(")")
			return b
		}
	}
}

// setMember reads what may stand behind ~: a token, a literal, a range of
// literals or a character set.
func (p *parser) setMember() element {
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
	if !p.isSign("..") {
		p.optionsOfElement()
		return from
	}
	p.advance()
	to := literal{p.tok.ident}
	p.expect(tokLiteral, "the literal at which the range ends")
	return span{from, to}
}

func (p *parser) reference(name ident) element {
	if !p.inLexer && !isTokenName(name.text) {
		p.optional(tokArgs)
	}
	p.optionsOfElement()
	return ref{name}
}

func (p *parser) optionsOfElement() {
	if p.isSign("<") {
		p.elementOptions()
	}
}
