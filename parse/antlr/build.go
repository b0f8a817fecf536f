package antlr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"whittle/parse"
	"whittle/parse/antlr/g4"
)

// builder makes the network of a lexer or a parser by Thompson's construction, in the shapes that the library expects.
// Marks on edges delimit the groups of the tree.
type builder struct {
	*network
	symbols *symbols
	names   *names
	binding operand
}

func buildParser(g *g4.Grammar, symbols *symbols, names *names) *network {
	b := &builder{network: &network{maxType: len(g.Tokens)}, symbols: symbols, names: names}
	b.rules(g.Rules)
	for _, r := range g.Rules {
		b.network.names = append(b.network.names, names.of(r.Name))
	}
	for i, r := range g.Rules {
		apart := takeApart(i, r.Body)
		if apart == nil {
			b.rule(i, r.Body)
		} else {
			b.recursive(i, apart)
		}
	}
	b.shorten()
	return b.network
}

// shorten makes edges skip states without effect: the library recognises left recursion by the states that rules return
// to. Edges to the end of a rule stay, since they distinguish the loop of a left-recursive rule.
func (n *network) shorten() {
	for i := range n.states {
		for k := range n.states[i].edges {
			e := &n.states[i].edges[k]
			for n.states[e.target].idle() {
				next := n.states[e.target].edges[0].target
				if n.states[next].kind == antlr.ATNStateRuleStop {
					break
				}
				e.target = next
			}
		}
	}
}

func (s *state) idle() bool {
	if s.kind != antlr.ATNStateBasic || len(s.edges) != 1 {
		return false
	}
	return s.edges[0].kind == antlr.TransitionEPSILON && s.edges[0].mark.what == noMark
}

func (n *network) rules(rules []*g4.Rule) {
	for i := range rules {
		n.starts = append(n.starts, n.add(antlr.ATNStateRuleStart, i))
		n.stops = append(n.stops, n.add(antlr.ATNStateRuleStop, i))
	}
}

func (n *network) next(from int32, m mark) int32 {
	to := n.add(antlr.ATNStateBasic, int(n.states[from].rule))
	n.connect(from, edge{kind: antlr.TransitionEPSILON, target: to, mark: m})
	return to
}

func (b *builder) rule(i int, body *g4.Block) {
	if len(body.Alts) == 1 {
		s := b.next(b.starts[i], b.chosen(body.Alts[0], ""))
		b.epsilon(b.sequence(s, body.Alts[0].Elements), b.stops[i])
	} else {
		s := b.next(b.starts[i], mark{})
		b.epsilon(b.choice(s, body.Alts, mark{}), b.stops[i])
	}
}

// chosen marks an alternative. first is its first element's label if that element is the rule itself.
func (b *builder) chosen(a *g4.Alt, first string) mark {
	if a.Label == "" && first == "" {
		return mark{}
	}
	return mark{what: chooses, name: b.names.of(a.Label), field: b.names.of(first)}
}

// recursive builds primary (operator operand)*. The library recognises left recursion only if the loop leads directly
// to the stop state.
func (b *builder) recursive(i int, apart *recursive) {
	b.states[b.starts[i]].precedence = true
	rule := i
	start, end := b.blockStart(antlr.ATNStateBlockStart, rule)
	b.epsilon(b.next(b.starts[i], mark{}), start)
	for _, o := range apart.primary {
		s := b.next(start, b.chosen(o.alt, ""))
		b.binding = o
		b.epsilon(b.sequence(s, o.elements), end)
	}
	b.decideIf(start)

	entry := b.add(antlr.ATNStateStarLoopEntry, rule)
	b.states[entry].precedence = true
	b.decide(entry)
	b.epsilon(end, entry)
	start, end = b.blockStart(antlr.ATNStateStarBlockStart, rule)
	for _, o := range apart.loop {
		operand, _ := ends(o.alt.Elements)
		s := b.next(start, b.chosen(o.alt, g4.LabelOf(operand)))
		t := b.add(antlr.ATNStateBasic, rule)
		b.connect(s, edge{kind: antlr.TransitionPRECEDENCE, target: t, a: int32(o.precedence)})
		b.binding = o
		b.epsilon(b.sequence(t, o.elements), end)
	}
	b.decideIf(start)
	b.binding = operand{}
	b.epsilon(b.star(entry, start, end, false), b.stops[i])
}

func (n *network) blockStart(kind, rule int) (start, end int32) {
	start, end = n.add(kind, rule), n.add(antlr.ATNStateBlockEnd, rule)
	n.states[start].partner = end
	return start, end
}

func (n *network) decideIf(start int32) {
	if len(n.states[start].edges) > 1 {
		n.decide(start)
	}
}

func (b *builder) sequence(s int32, elements []g4.Element) int32 {
	if b.lexer {
		for _, e := range elements {
			s = b.element(s, e)
		}
		return s
	}
	for _, p := range b.symbols.parts(elements) {
		if p.list != nil {
			s = b.separated(s, p.list)
		} else {
			s = b.element(s, p.element)
		}
	}
	return s
}

func (b *builder) group(s int32, m mark, inside func(int32) int32) int32 {
	m.what = opens
	return b.next(inside(b.next(s, m)), mark{what: closes})
}

// needed reports whether a list member with this label is neither deleted nor replaced alone.
func needed(label string) bool { return strings.HasPrefix(label, "needed") }

func isNeeded(a *g4.Alt) bool { return len(a.Elements) == 1 && needed(g4.LabelOf(a.Elements[0])) }

func (b *builder) separated(s int32, l *separated) int32 {
	member := func(s int32, label string) int32 {
		m := mark{symbol: l.body, slot: uint8(parse.Plus), list: l.symbol}
		if needed(label) {
			m = mark{symbol: none, slot: uint8(parse.Required), list: none}
		}
		return b.group(s, m, func(s int32) int32 { return b.labelled(s, l.member, label) })
	}
	label, again := g4.LabelOf(l.member), g4.LabelOf(l.again)
	separator := func(s int32) int32 {
		m := mark{symbol: l.sep, slot: uint8(parse.Separator), list: none}
		return b.group(s, m, func(s int32) int32 { return b.sequence(s, l.separator) })
	}
	whole := mark{symbol: l.symbol, slot: uint8(parse.Required), list: none, whole: true}
	if needed(again) {
		whole.symbol = none
	}
	return b.group(s, whole, func(s int32) int32 {
		if l.leading {
			return b.loop(member(s, label), l.repeat, func(start, end int32) {
				b.epsilon(member(separator(b.next(start, mark{})), again), end)
			})
		}
		return member(b.loop(s, l.repeat, func(start, end int32) {
			b.epsilon(separator(member(b.next(start, mark{}), again)), end)
		}), label)
	})
}

func (b *builder) element(s int32, e g4.Element) int32 { return b.labelled(s, e, g4.LabelOf(e)) }

func (b *builder) labelled(s int32, e g4.Element, label string) int32 {
	field := b.names.of(label)
	switch e := e.(type) {
	case *g4.RuleRef:
		precedence := 0
		if e == b.binding.bound {
			precedence = b.binding.binds
		}
		return b.leaf(s, e, field, edge{kind: antlr.TransitionRULE, a: b.starts[e.Rule], b: int32(precedence)})
	case *g4.TokenRef:
		return b.leaf(s, e, field, edge{kind: antlr.TransitionATOM, a: int32(e.Type)})
	case *g4.Set:
		switch {
		case e.Not:
			return b.leaf(s, e, field, edge{kind: antlr.TransitionNOTSET, ranges: e.Ranges})
		case len(e.Ranges) == 1 && e.Ranges[0].From == e.Ranges[0].To:
			return b.leaf(s, e, field, edge{kind: antlr.TransitionATOM, a: int32(e.Ranges[0].From)})
		}
		return b.leaf(s, e, field, edge{kind: antlr.TransitionSET, ranges: e.Ranges})
	case *g4.Block:
		return b.block(s, e, field)
	case *g4.Repeat:
		return b.repeat(s, e)
	}
	return s
}

func (b *builder) leaf(s int32, of g4.Element, field int32, e edge) int32 {
	if !b.lexer {
		e.mark = mark{symbol: b.symbols.of(of), field: field}
	}
	return b.step(s, e)
}

func (n *network) step(from int32, e edge) int32 {
	e.target = n.add(antlr.ATNStateBasic, int(n.states[from].rule))
	n.connect(from, e)
	return e.target
}

func (b *builder) block(s int32, e *g4.Block, field int32) int32 {
	if len(e.Alts) == 1 {
		return b.sequence(s, e.Alts[0].Elements)
	}
	if b.lexer {
		return b.choice(s, e.Alts, mark{})
	}
	m := mark{symbol: b.symbols.of(e), slot: uint8(parse.Required), list: none, field: field}
	if types := tokenTypes(e); types != nil {
		return b.step(s, edge{kind: antlr.TransitionSET, ranges: types, mark: m})
	}
	m.what = opens
	return b.choice(s, e.Alts, m)
}

func tokenTypes(e *g4.Block) (types []g4.Range) {
	for _, a := range e.Alts {
		elements := withoutCode(a.Elements)
		if len(elements) != 1 {
			return nil
		}
		switch t := elements[0].(type) {
		case *g4.TokenRef:
			types = append(types, g4.Range{From: t.Type, To: t.Type})
		case *g4.Set:
			if t.Not {
				return nil
			}
			types = append(types, t.Ranges...)
		default:
			return nil
		}
	}
	slices.SortFunc(types, func(a, b g4.Range) int { return cmp.Compare(a.From, b.From) })
	return types
}

func (b *builder) choice(s int32, alts []*g4.Alt, m mark) int32 {
	start, end := b.blockStart(antlr.ATNStateBlockStart, int(b.states[s].rule))
	b.epsilon(s, start)
	b.alternatives(start, end, alts, m)
	b.decideIf(start)
	return b.next(end, mark{})
}

func (b *builder) alternatives(start, end int32, alts []*g4.Alt, m mark) {
	for _, a := range alts {
		s := b.next(start, b.chosen(a, ""))
		inside := func(s int32) int32 { return b.sequence(s, a.Elements) }
		m := m
		if m.what != noMark && isNeeded(a) {
			m.slot, m.symbol, m.list = uint8(parse.Required), none, none
		}
		if m.what == noMark {
			s = inside(s)
		} else {
			s = b.group(s, m, inside)
		}
		b.epsilon(s, end)
	}
}

func (b *builder) repeat(s int32, r *g4.Repeat) int32 {
	if b.lexer {
		body := func(start, end int32) { b.alternatives(start, end, r.Body.Alts, mark{}) }
		if r.Many {
			return b.loop(s, r, body)
		}
		return b.optional(s, r, body)
	}
	body := mark{what: opens, symbol: b.symbols.choice(r.Body), slot: uint8(parse.Optional), list: none}
	if !r.Many {
		return b.optional(s, r, func(start, end int32) { b.alternatives(start, end, r.Body.Alts, body) })
	}
	list := mark{symbol: b.symbols.of(r), slot: uint8(parse.Required), list: none, whole: true}
	body.list, body.slot = list.symbol, uint8(parse.Plus)
	if r.Optional {
		list.slot, body.slot = uint8(parse.Optional), uint8(parse.Star)
	}
	if slices.ContainsFunc(r.Body.Alts, isNeeded) {
		list.slot, list.symbol = uint8(parse.Required), none
	}
	return b.group(s, list, func(s int32) int32 {
		return b.loop(s, r, func(start, end int32) { b.alternatives(start, end, r.Body.Alts, body) })
	})
}

func (n *network) optional(s int32, r *g4.Repeat, body func(start, end int32)) int32 {
	start, end := n.blockStart(antlr.ATNStateBlockStart, int(n.states[s].rule))
	n.states[start].nonGreedy = r.NonGreedy
	n.epsilon(s, start)
	if r.NonGreedy {
		n.epsilon(start, end)
	}
	body(start, end)
	if !r.NonGreedy {
		n.epsilon(start, end)
	}
	n.decide(start)
	return n.next(end, mark{})
}

func (n *network) loop(s int32, r *g4.Repeat, body func(start, end int32)) int32 {
	rule := int(n.states[s].rule)
	if r.Optional {
		entry := n.add(antlr.ATNStateStarLoopEntry, rule)
		n.states[entry].nonGreedy = r.NonGreedy
		n.decide(entry)
		n.epsilon(s, entry)
		start, end := n.blockStart(antlr.ATNStateStarBlockStart, rule)
		body(start, end)
		n.decideIf(start)
		return n.next(n.star(entry, start, end, r.NonGreedy), mark{})
	}
	start, end := n.blockStart(antlr.ATNStatePlusBlockStart, rule)
	n.epsilon(s, start)
	body(start, end)
	n.decideIf(start)
	back, out := n.add(antlr.ATNStatePlusLoopBack, rule), n.add(antlr.ATNStateLoopEnd, rule)
	n.states[back].nonGreedy = r.NonGreedy
	n.states[out].partner = back
	n.decide(back)
	n.epsilon(end, back)
	n.choose(back, start, out, r.NonGreedy)
	return n.next(out, mark{})
}

func (n *network) star(entry, start, end int32, nonGreedy bool) int32 {
	rule := int(n.states[entry].rule)
	back, out := n.add(antlr.ATNStateStarLoopBack, rule), n.add(antlr.ATNStateLoopEnd, rule)
	n.states[out].partner = back
	n.choose(entry, start, out, nonGreedy)
	n.epsilon(end, back)
	n.epsilon(back, entry)
	return out
}

// choose adds the edges to another iteration and to out, the preferred one first.
func (n *network) choose(s, more, out int32, nonGreedy bool) {
	if nonGreedy {
		more, out = out, more
	}
	n.epsilon(s, more)
	n.epsilon(s, out)
}
