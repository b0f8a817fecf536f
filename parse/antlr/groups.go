package antlr

import "whittle/parse"

// groups builds the tree of a walk from rules, repetitions, options and choices, and simplifies it:
//
//   - A rule or group with one child is replaced by that child.
//   - Members of a list, and groups of optional parts only, become children of the enclosing node. Lists that can nest
//     stay nodes, because one may replace another.
//   - Recursion that builds a list, as in a : a b | b, becomes a list.
type groups struct {
	symbols *symbols
	chains  *parse.Chains
	all     []group
	free    []int32
	stack   []int32 // open groups
	nests   map[symbol]bool
	names   []int32 // of token types
	tokens  int     // number of tokens, without EOF
}

// group is a rule, a group or a leaf. Children are linked lists.
type group struct {
	first, last, next int32 // or -1
	token             int32
	top, inner        symbol // the expected symbol; the actual one after replacements
	list              symbol // that it is a member of
	name, field       int32
	alternative       int32
	below             int32 // chain of the child that replaced it
	slot              parse.Slot
	wrong             bool // skipped by error recovery
	rule              bool
	whole             bool // a list
	spine             spine
}

// spine is the kind of list in a recursive rule.
type spine uint8

const (
	noSpine spine = iota
	separatedSpine
	suffixSpine // a: a b
	prefixSpine // a: b a
)

func (t *groups) alloc(g group) int32 {
	g.first, g.last, g.next = -1, -1, -1
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		t.all[i] = g
		return i
	}
	t.all = append(t.all, g)
	return int32(len(t.all) - 1)
}

func (t *groups) open(m mark) {
	t.stack = append(t.stack, t.alloc(group{
		token: -1, top: m.symbol, inner: m.symbol, list: m.list, slot: parse.Slot(m.slot),
		name: m.name, field: m.field, rule: m.rule, whole: m.whole,
	}))
}

func (t *groups) put(g group) {
	t.append(t.stack[len(t.stack)-1], t.alloc(g))
}

func (t *groups) append(parent, i int32) {
	p := &t.all[parent]
	if p.first < 0 {
		p.first = i
	} else {
		t.all[p.last].next = i
	}
	for t.all[i].next >= 0 {
		i = t.all[i].next
	}
	p.last = i
}

func (t *groups) close() {
	i := t.stack[len(t.stack)-1]
	if len(t.stack) == 1 {
		t.reduce(i)
		return
	}
	t.stack = t.stack[:len(t.stack)-1]
	t.reduce(i)
	g := &t.all[i]
	parent := t.stack[len(t.stack)-1]
	switch {
	case g.first < 0:
	case t.only(i):
		c := g.first
		t.lift(i, c)
		t.append(parent, c)
	case t.dissolves(i):
		t.append(parent, g.first)
	default:
		t.append(parent, i)
		return
	}
	t.free = append(t.free, i)
}

func (t *groups) wrap() {
	i := t.stack[len(t.stack)-1]
	t.reduce(i)
	outer := t.all[i]
	inner := t.alloc(group{})
	g := &t.all[i]
	t.all[inner] = *g
	c := inner
	t.all[inner].slot, t.all[inner].field = parse.Required, 0
	if t.only(inner) {
		c = g.first
		t.lift(inner, c)
		t.free = append(t.free, inner)
	}
	t.all[i] = group{
		first: -1, last: -1, next: -1, token: -1, top: outer.top, inner: outer.inner, list: outer.list,
		name: outer.name, field: outer.field, slot: outer.slot, rule: true,
	}
	t.append(i, c)
}

// choose sets the alternative of the innermost rule. m.field labels the first child, which is the rule itself.
func (t *groups) choose(m mark) {
	i := t.stack[len(t.stack)-1]
	t.all[i].alternative = m.name
	if first := t.all[i].first; m.field != 0 && first >= 0 {
		t.all[first].field = m.field
	}
}

// chain has the rule of a node, the label of its alternative, and the nodes that it replaced.
func (t *groups) chain(i int32) int32 {
	g := &t.all[i]
	below := g.below
	if g.alternative != 0 {
		below = t.chains.Add(parse.Link{Kind: g.alternative, Below: below})
	}
	return t.chains.Add(parse.Link{Kind: g.name, Field: g.field, Below: below})
}

func (t *groups) only(i int32) bool {
	g := &t.all[i]
	return g.first >= 0 && g.first == g.last && !t.all[g.first].wrong
}

func (t *groups) lift(i, c int32) {
	g, child := &t.all[i], &t.all[c]
	if g.whole && child.list == g.inner {
		return // a list's only member stays a member
	}
	if g.name != 0 || g.field != 0 {
		child.below = t.chain(c)
		child.name, child.field, child.alternative = g.name, g.field, g.alternative
	}
	child.top = g.top
	if member := child.slot == parse.Star || child.slot == parse.Plus; g.slot == parse.Optional && member {
		child.slot = parse.Star // the whole list is optional
		return
	}
	child.list = g.list
	child.slot = combine(g.slot, child.slot)
	if g.rule {
		child.slot = t.orEmpty(g.top, child.slot)
	}
	child.rule = child.rule || g.rule
}

func combine(outer, inner parse.Slot) parse.Slot {
	empty := inner == parse.Star || inner == parse.Optional
	switch {
	case outer == parse.Required && empty:
		return parse.Optional
	case outer == parse.Plus && empty:
		return parse.Star
	}
	return outer
}

func (t *groups) orEmpty(rule symbol, slot parse.Slot) parse.Slot {
	if !t.symbols.all[rule].nullable {
		return slot
	}
	return combine(slot, parse.Optional)
}

// reduce turns recursion into a list.
func (t *groups) reduce(i int32) {
	g := &t.all[i]
	if !g.rule || g.first < 0 || g.first == g.last {
		return
	}
	g.slot = t.orEmpty(g.top, g.slot)
	switch {
	case t.all[g.first].top == g.top:
		t.leftSpine(i)
	case t.all[g.last].top == g.top:
		t.rightSpine(i)
	}
}

// leftSpine turns a rule that begins with itself into a list: operands with separators, or an element with suffixes.
func (t *groups) leftSpine(i int32) {
	g := &t.all[i]
	rule, head := g.top, g.first
	tail := t.all[head].next
	kind, slot := suffixSpine, parse.Required
	if end := g.last; tail != end && t.operand(rule, end) && t.leaves(tail, end) {
		kind, slot = separatedSpine, parse.Plus
		separator := t.join(tail, t.before(tail, end), parse.Separator)
		t.all[separator].next = end
		t.all[end].slot = parse.Plus
		tail = separator
	} else {
		tail = t.join(tail, end, parse.Star)
	}
	g = &t.all[i]
	g.first, g.last, g.spine = -1, -1, kind
	if h := &t.all[head]; h.spine == kind && h.token < 0 {
		g.first, g.last = h.first, h.last
		t.free = append(t.free, head)
	} else {
		h.slot, h.next = slot, -1
		t.append(i, head)
	}
	t.append(i, tail)
}

// rightSpine does the same for a rule that ends with itself.
func (t *groups) rightSpine(i int32) {
	g := &t.all[i]
	rule, head, rest := g.top, g.first, g.last
	before := t.before(head, rest)
	t.all[before].next = -1
	kind, slot := prefixSpine, parse.Required
	base := t.symbols.isBase(rule, t.all[head].top)
	member := parse.Plus
	if t.symbols.all[rule].nullable {
		member = parse.Star
	}
	switch {
	case base && head == before: // a: b a | b
		slot = member
		t.all[head].slot = member
	case base && t.leaves(t.all[head].next, -1): // a: b ',' a | b
		kind, slot = separatedSpine, member
		separator := t.join(t.all[head].next, before, parse.Separator)
		t.all[head].slot, t.all[head].next = member, separator
	default:
		head = t.join(head, before, parse.Star)
	}
	g = &t.all[i]
	g.first, g.last, g.spine = -1, -1, kind
	t.append(i, head)
	if r := &t.all[rest]; r.spine == kind && r.token < 0 {
		t.append(i, r.first)
		t.free = append(t.free, rest)
		return
	}
	t.all[rest].slot = slot
	t.append(i, rest)
}

// operand reports whether node i can replace the rule. In a.b(c).d everything after a is a suffix, since the rule does
// more than build a list.
func (t *groups) operand(rule symbol, i int32) bool {
	return t.all[i].top == rule || t.symbols.isBase(rule, t.all[i].top) && t.symbols.onlyList(rule)
}

func (t *groups) leaves(i, end int32) bool {
	for ; i != end; i = t.all[i].next {
		if g := &t.all[i]; g.token < 0 || g.wrong || int(g.top) < t.symbols.rules {
			return false
		}
	}
	return true
}

func (t *groups) before(i, end int32) int32 {
	for t.all[i].next != end {
		i = t.all[i].next
	}
	return i
}

func (t *groups) join(first, last int32, slot parse.Slot) int32 {
	t.all[last].next = -1
	if first == last {
		t.all[first].slot = slot
		return first
	}
	i := t.alloc(group{token: -1, top: none, inner: none, list: none, slot: slot})
	t.all[i].first, t.all[i].last = first, last
	return i
}

// dissolves reports whether the children of a group can move to its parent. It sets their slots.
func (t *groups) dissolves(i int32) bool {
	g := &t.all[i]
	if g.rule {
		return false
	}
	if g.whole && t.isList(i) {
		return !t.nested(g.inner)
	}
	if g.slot == parse.Separator {
		return false
	}
	free := true
	for c := g.first; c >= 0; c = t.all[c].next {
		free = free && (t.all[c].slot == parse.Star || t.all[c].slot == parse.Optional)
	}
	if free {
		return true
	}
	if g.slot == parse.Optional && t.isList(i) {
		for c := g.first; c >= 0; c = t.all[c].next {
			if t.all[c].slot == parse.Plus {
				t.all[c].slot = parse.Star
			}
		}
		return true
	}
	return false
}

func (t *groups) isList(i int32) bool {
	list := t.all[t.all[i].first].list
	for c := t.all[i].first; c >= 0; c = t.all[c].next {
		member := t.all[c].list == list && (t.all[c].slot == parse.Plus || t.all[c].slot == parse.Star)
		if !member && t.all[c].slot != parse.Separator || list == none {
			return false
		}
	}
	return true
}

func (t *groups) nested(list symbol) bool {
	n, cached := t.nests[list]
	if !cached {
		n = t.symbols.nested(list)
		t.nests[list] = n
	}
	return n
}

func (t *groups) leaf(token, kind int, m mark) {
	if token < t.tokens {
		t.put(group{
			token: int32(token), top: m.symbol, inner: t.symbols.token(kind), list: none,
			name: t.names[max(kind, 0)], field: m.field,
		})
	}
}

func (t *groups) skipped(token int) {
	t.put(group{token: int32(token), top: none, inner: none, list: none, slot: parse.Star, wrong: true})
}
