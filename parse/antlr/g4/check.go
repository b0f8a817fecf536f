package g4

import "strings"

// check reports what cannot be parsed with: endless recursion and loops.
func (b *builder) check() {
	for _, rules := range [][]*Rule{b.Rules, b.LexerRules} {
		c := checker{rules: rules, empty: emptyBlocks(rules), problems: b.problems, toParser: len(rules) > 0 && rules[0] == first(b.Rules)}
		c.recursion()
		c.loops()
	}
	b.emptyTokens()
}

func first(rules []*Rule) *Rule {
	if len(rules) == 0 {
		return nil
	}
	return rules[0]
}

// checker looks at the rules of a lexer or of a parser.
type checker struct {
	rules    []*Rule
	empty    map[*Block]bool
	problems *Problems
	toParser bool
}

// isEmpty is true for what can match nothing.
func (c *checker) isEmpty(e Element) bool {
	switch e := e.(type) {
	case *Code:
		return true
	case *RuleRef:
		return c.empty[c.rules[e.Rule].Body]
	case *Block:
		return c.empty[e]
	case *Repeat:
		return e.Optional || c.empty[e.Body]
	}
	return false
}

// leftmost calls visit for what elements can begin with: references to rules
// and tokens.
func (c *checker) leftmost(elements []Element, visit func(Element)) {
	for _, e := range elements {
		switch e := e.(type) {
		case *RuleRef, *TokenRef:
			visit(e)
		case *Block:
			for _, a := range e.Alts {
				c.leftmost(a.Elements, visit)
			}
		case *Repeat:
			for _, a := range e.Body.Alts {
				c.leftmost(a.Elements, visit)
			}
		}
		if !c.isEmpty(e) {
			return
		}
	}
}

// leftRules gives the rules that can begin a rule. In a rule of the parser
// with alternatives that begin with the rule itself, these are no recursion:
// they are taken for operators behind what the others match.
func (c *checker) leftRules(i int) (left []int) {
	visit := func(e Element) {
		if r, ok := e.(*RuleRef); ok {
			left = append(left, r.Rule)
		}
	}
	operands := 0 // alternatives that are no operators
	emptyOperand := false
	alts := c.rules[i].Body.Alts
	for _, a := range alts {
		if c.isOperator(i, a) {
			continue
		}
		operands++
		c.leftmost(a.Elements, visit)
		all := true
		for _, e := range a.Elements {
			all = all && c.isEmpty(e)
		}
		emptyOperand = emptyOperand || all
	}
	for _, a := range alts {
		if !c.isOperator(i, a) {
			continue
		}
		if emptyOperand {
			c.leftmost(a.Elements[1:], visit)
		}
		endless := true
		for _, e := range a.Elements[1:] {
			endless = endless && c.isEmpty(e)
		}
		if endless {
			c.problems.add(a.Pos, "rule %s: behind %s in this alternative comes what can be empty, so it can go on for ever",
				c.rules[i].Name, c.rules[i].Name)
		}
	}
	if operands == 0 {
		c.problems.add(c.rules[i].Pos, "rule %s begins with itself in all alternatives", c.rules[i].Name)
	}
	return left
}

// isOperator is true for alternatives of a parser rule that begin with it.
func (c *checker) isOperator(rule int, a *Alt) bool {
	if !c.toParser || len(a.Elements) == 0 {
		return false
	}
	r, ok := a.Elements[0].(*RuleRef)
	return ok && r.Rule == rule
}

// recursion reports rules that begin with themselves by way of others.
func (c *checker) recursion() {
	left := make([][]int, len(c.rules))
	for i := range c.rules {
		left[i] = c.leftRules(i)
	}
	for _, cycle := range cycles(left) {
		var names []string
		for _, i := range cycle {
			names = append(names, c.rules[i].Name)
		}
		at := c.rules[cycle[0]].Pos
		if len(names) == 1 {
			c.problems.add(at, "rule %s is left-recursive, but not as the first element of an alternative", names[0])
		} else {
			c.problems.add(at, "rules %s are mutually left-recursive", strings.Join(names, ", "))
		}
	}
}

// loops reports loops that can go on for ever, over nothing or over the end of
// the file.
func (c *checker) loops() {
	atEnd := c.beginningWithEOF()
	for _, r := range c.rules {
		c.loopsIn(r, r.Body, atEnd)
	}
}

// loopsIn tells if a block can begin with the end of the file.
func (c *checker) loopsIn(r *Rule, b *Block, atEnd []bool) (eof bool) {
	for _, a := range b.Alts {
		leftmost := true
		for _, e := range a.Elements {
			begins := false
			switch e := e.(type) {
			case *TokenRef:
				begins = e.Type == EOF
			case *RuleRef:
				begins = atEnd[e.Rule]
			case *Block:
				begins = c.loopsIn(r, e, atEnd)
			case *Repeat:
				begins = c.loopsIn(r, e.Body, atEnd)
				if e.Many && c.empty[e.Body] {
					c.problems.add(e.Pos, "rule %s has a loop over what can be empty", r.Name)
				} else if e.Many && begins {
					c.problems.add(e.Pos, "rule %s has a loop over what can begin with EOF", r.Name)
				}
			}
			eof = eof || leftmost && begins
			leftmost = leftmost && c.isEmpty(e)
		}
	}
	return eof
}

// beginningWithEOF gives for each rule whether the end of the file can be the
// first that it matches.
func (c *checker) beginningWithEOF() []bool {
	begins := make([]bool, len(c.rules))
	users := make([][]int, len(c.rules))
	var found []int
	for i, r := range c.rules {
		c.leftmost([]Element{r.Body}, func(e Element) {
			switch e := e.(type) {
			case *RuleRef:
				users[e.Rule] = append(users[e.Rule], i)
			case *TokenRef:
				if e.Type == EOF && !begins[i] {
					begins[i] = true
					found = append(found, i)
				}
			}
		})
	}
	for len(found) > 0 {
		i := found[len(found)-1]
		found = found[:len(found)-1]
		for _, user := range users[i] {
			if !begins[user] {
				begins[user] = true
				found = append(found, user)
			}
		}
	}
	return begins
}

// emptyTokens warns of tokens that can be empty.
func (b *builder) emptyTokens() {
	empty := emptyBlocks(b.LexerRules)
	for _, m := range b.Modes {
		for _, i := range m.Rules {
			if r := b.LexerRules[i]; empty[r.Body] {
				b.warning(r.Pos, "lexer rule %s can match nothing at all: where it does, the lexer cannot go on", r.Name)
			}
		}
	}
}

func (b *builder) warning(at Pos, format string, args ...any) {
	b.Warnings.add(at, format, args...)
}
