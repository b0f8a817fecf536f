package antlr

import (
	"fmt"
	"slices"

	"whittle/parse/antlr/g4"
)

// symbol is a rule, a token type, or a block. Identical parts of a grammar share a symbol.
type symbol = uint16

// none marks the nodes of error recovery, too.
const none symbol = 0xffff

// symbols tell which part of a grammar can replace another one: the normal form of Perses (Sun et al., ICSE 2018,
// section 4) without transforming the grammar.
type symbols struct {
	grammar  *g4.Grammar
	rules    int
	tokens   int // number of types; EOF is type 0
	all      []shape
	interned map[string]symbol
	derived  map[symbol]bits
	leasts   map[symbol][]byte
}

type shape struct {
	kind     shapeKind
	nullable bool
	alts     [][]symbol
	body     symbol
	sep      symbol // separator of a list, or none
	from     []g4.Range
	not      bool
}

type shapeKind uint8

const (
	ruleShape shapeKind = iota
	tokenShape
	setShape
	choiceShape // several alternatives, or a sequence
	optionalShape
	listShape
)

func newSymbols(g *g4.Grammar) *symbols {
	s := &symbols{
		grammar: g, rules: len(g.Rules), tokens: len(g.Tokens) + 1,
		interned: map[string]symbol{}, derived: map[symbol]bits{}, leasts: map[symbol][]byte{},
	}
	s.all = make([]shape, s.rules+s.tokens)
	for i := range s.all {
		s.all[i].sep = none
		if i >= s.rules {
			s.all[i].kind = tokenShape
		}
	}
	for i, r := range g.Rules {
		alts := s.block(r.Body)
		s.all[i].alts = alts // s.block may have moved s.all
	}
	s.findNullable()
	return s
}

func (s *symbols) rule(i int) symbol { return symbol(i) }

// token returns 0 for EOF.
func (s *symbols) token(t int) symbol { return symbol(s.rules + max(t, 0)) }

func (s *symbols) block(b *g4.Block) [][]symbol {
	alts := make([][]symbol, len(b.Alts))
	for i, a := range b.Alts {
		for _, p := range s.parts(a.Elements) {
			alts[i] = append(alts[i], p.symbol)
		}
	}
	return alts
}

// part is an element, or a list with separators, which consists of two elements.
type part struct {
	symbol  symbol
	element g4.Element
	list    *separated
}

// separated is a list x (',' x)* or (x ',')* x.
type separated struct {
	member    g4.Element
	again     g4.Element // the member in the repetition
	repeat    *g4.Repeat
	separator []g4.Element
	leading   bool // the member precedes the repetition
	symbol    symbol
	body      symbol
	sep       symbol
}

func (s *symbols) parts(elements []g4.Element) (parts []part) {
	elements = withoutCode(elements)
	for i := 0; i < len(elements); {
		if list := s.separated(elements[i:]); list != nil {
			parts = append(parts, part{list.symbol, nil, list})
			i += 2
			continue
		}
		parts = append(parts, part{s.of(elements[i]), elements[i], nil})
		i++
	}
	return parts
}

func withoutCode(elements []g4.Element) []g4.Element {
	return slices.DeleteFunc(slices.Clone(elements), func(e g4.Element) bool {
		_, code := e.(*g4.Code)
		return code
	})
}

func (s *symbols) separated(elements []g4.Element) *separated {
	if len(elements) < 2 {
		return nil
	}
	if r := loop(elements[1]); r != nil {
		inner := withoutCode(r.Body.Alts[0].Elements)
		if n := len(inner); n > 1 && s.same(inner[n-1], elements[0]) && s.punctuation(inner[:n-1], 3) {
			return s.list(&separated{member: elements[0], again: inner[n-1], repeat: r, separator: inner[:n-1], leading: true})
		}
	}
	if r := loop(elements[0]); r != nil {
		inner := withoutCode(r.Body.Alts[0].Elements)
		if n := len(inner); n > 1 && s.same(inner[0], elements[1]) && s.punctuation(inner[1:], 3) {
			return s.list(&separated{member: elements[1], again: inner[0], repeat: r, separator: inner[1:]})
		}
	}
	return nil
}

func (s *symbols) list(l *separated) *separated {
	l.body = s.of(l.member)
	var sep []symbol
	for _, e := range l.separator {
		sep = append(sep, s.of(e))
	}
	l.sep = s.sequence(sep)
	l.symbol = s.intern(shape{kind: listShape, body: l.body, sep: l.sep})
	return l
}

func loop(e g4.Element) *g4.Repeat {
	r, ok := e.(*g4.Repeat)
	if !ok || !r.Many || len(r.Body.Alts) != 1 {
		return nil
	}
	return r
}

func (s *symbols) same(a, b g4.Element) bool { return s.of(a) == s.of(b) }

// punctuation reports whether the elements consist of tokens only, nested at most depth deep.
func (s *symbols) punctuation(elements []g4.Element, depth int) bool {
	for _, e := range elements {
		var within *g4.Block
		switch e := e.(type) {
		case *g4.RuleRef:
			within = s.grammar.Rules[e.Rule].Body
		case *g4.Block:
			within = e
		case *g4.Repeat:
			within = e.Body
		}
		if within == nil {
			continue
		}
		if depth == 0 {
			return false
		}
		for _, a := range within.Alts {
			if !s.punctuation(withoutCode(a.Elements), depth-1) {
				return false
			}
		}
	}
	return true
}

func (s *symbols) of(e g4.Element) symbol {
	switch e := e.(type) {
	case *g4.RuleRef:
		return s.rule(e.Rule)
	case *g4.TokenRef:
		return s.token(e.Type)
	case *g4.Set:
		return s.intern(shape{kind: setShape, not: e.Not, from: e.Ranges, sep: none})
	case *g4.Block:
		return s.choice(e)
	case *g4.Repeat:
		kind := optionalShape
		if e.Many {
			kind = listShape
		}
		return s.intern(shape{kind: kind, nullable: e.Optional, body: s.choice(e.Body), sep: none})
	}
	return none
}

// choice returns the symbol of a block, or of its only element.
func (s *symbols) choice(b *g4.Block) symbol {
	alts := s.block(b)
	if len(alts) == 1 && len(alts[0]) == 1 {
		return alts[0][0]
	}
	return s.intern(shape{kind: choiceShape, alts: alts, sep: none})
}

func (s *symbols) sequence(of []symbol) symbol {
	if len(of) == 1 {
		return of[0]
	}
	return s.intern(shape{kind: choiceShape, alts: [][]symbol{of}, sep: none})
}

func (s *symbols) intern(sh shape) symbol {
	key := fmt.Sprint(sh.kind, sh.nullable, sh.not, sh.body, sh.sep, sh.alts, sh.from)
	if x, ok := s.interned[key]; ok {
		return x
	}
	x := symbol(min(len(s.all), int(none)-1))
	s.interned[key] = x
	s.all = append(s.all, sh)
	return x
}
