package syntax

// maxNesting is how deep brackets may be nested, so that no grammar exhausts
// the stack. People write less than ten.
const maxNesting = 1000

// alternatives reads the body of a rule or block up to what ends it.
func (p *parser) alternatives(at Pos, outermost bool) *Block {
	b := &Block{Pos: at}
	for {
		a := p.alternative()
		b.Alts = append(b.Alts, a)
		if outermost && !p.inLexer && p.isSign("#") {
			p.advance()
			a.Label = p.name().Text
		}
		if !p.isSign("|") {
			return b
		}
		p.advance()
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
		a.Elements, a.Labels = append(a.Elements, e), append(a.Labels, label)
	}
	if p.inLexer && p.isSign("->") {
		p.advance()
		a.Commands = p.commands()
	}
	return a
}

// elementOptions reads the like of <assoc=right>, and reports whether it is just
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

func (p *parser) commands() (commands []Command) {
	for {
		c := Command{}
		if p.isWord("mode") {
			c.Name = p.tok.Ident
			p.advance()
		} else {
			c.Name = p.name()
		}
		if p.isSign("(") {
			p.advance()
			arg := p.tok.Ident
			if p.tok.kind == tokNumber {
				p.advance()
			} else {
				arg = p.name()
			}
			c.Arg = &arg
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
func (p *parser) element() (e Element, label string) {
	at := p.tok.Pos
	switch p.tok.kind {
	case tokAction, tokPredicate:
		c := Code{p.tok.Ident, p.tok.kind == tokPredicate}
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
		label = name.Text
		if e = p.atom(); e == nil {
			p.unexpected("what the label is for")
		}
	case tokSign:
		if p.isSign(":") && p.last.kind == tokIdent && !reserved[p.last.Text] {
			p.problems.Add(p.last.Pos, `rule %s has no ";" before %s`, p.rule, p.last.Text)
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
	switch p.tok.Text {
	case "mode":
		p.stay = p.inLexer
	case "fragment":
		p.stay = true
	}
	if p.stay {
		p.fail(`rule %s has no ";" before %q`, p.rule, p.tok.Text)
	}
}

// suffix reads ?, * or + behind an element.
func (p *parser) suffix(at Pos, e Element) Element {
	r := Repeat{Pos: at, Body: e}
	switch {
	case p.isSign("?"):
		r.Optional = true
	case p.isSign("*"):
		r.Optional, r.Many = true, true
	case p.isSign("+"):
		r.Many = true
	default:
		return e
	}
	p.advance()
	if p.isSign("?") {
		r.NonGreedy = true
		p.advance()
	}
	return r
}

// atom reads an element without label and suffix; nil if there is none.
func (p *parser) atom() Element {
	at := p.tok.Pos
	switch {
	case p.tok.kind == tokIdent:
		return p.reference(p.name())
	case p.tok.kind == tokLiteral, p.tok.kind == tokSet:
		return p.setMember()
	case p.isSign("."):
		p.advance()
		p.optionsOfElement()
		return Wildcard{at}
	case p.isSign("~"):
		p.advance()
		n := Not{Pos: at}
		if p.isSign("(") {
			n.Of = p.negated()
		} else {
			n.Of = p.setMember()
		}
		return n
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

// negated reads the alternatives in the brackets behind ~.
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

// setMember reads what may stand behind ~: a token, a literal, a range of
// literals or a character set.
func (p *parser) setMember() Element {
	t := p.tok
	switch {
	case t.kind == tokSet:
		p.advance()
		return CharSet{t.Ident}
	case t.kind == tokIdent && IsTokenName(t.Text):
		p.advance()
		p.optionsOfElement()
		return Ref{t.Ident}
	case t.kind != tokLiteral:
		p.unexpected("a token, a literal or a set")
	}
	p.advance()
	from := Literal{t.Ident}
	if !p.isSign("..") {
		p.optionsOfElement()
		return from
	}
	p.advance()
	to := Literal{p.tok.Ident}
	p.expect(tokLiteral, "the literal at which the range ends")
	return Span{from, to}
}

func (p *parser) reference(name Ident) Element {
	if !p.inLexer && !IsTokenName(name.Text) {
		p.optional(tokArgs)
	}
	p.optionsOfElement()
	return Ref{name}
}

func (p *parser) optionsOfElement() {
	if p.isSign("<") {
		p.elementOptions()
	}
}
