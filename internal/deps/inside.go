package deps

import (
	"slices"
	"sort"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// shallow is the minimum ratio of the weight that a part brings to its own. It must also be 1/share of the file.
const shallow = 4

// A part is a node in a function's body.
type part struct {
	node, unit int32
	uses       []int32
	weight     int // with all mentioned units
}

// searchFunctions tries to remove parts of functions, such as statements, that mention many units which are not used
// elsewhere: callers before callees. Units that only removed parts mention go with them.
//
//	f { a(); b(); }   a { c(); d(); }   b { … }   c { … }   d { … }      f is required
//	- the parts of f: a() is required -
//	f { a(); }        a { c(); d(); }             c { … }   d { … }
//	- the parts of a -
//
// If there are no such parts, it continues with otherwise. If it becomes slow, chains are next.
func (h *explorer) searchFunctions(t progress, otherwise func() *pass.Step) *pass.Step {
	var parts []part
	l := &estimate{explorer: h, progress: t, own: h.weights(t.base), brought: map[int32]int{}}
	if len(t.needed) == 0 { // some roots may only be there as others mention them
		t.roots = h.entries(t)
		t.needed = t.roots
	}
	for t.passed = slices.Clone(t.passed); len(parts) == 0; t.open = nil {
		inner := t.open
		if len(inner) == 0 { // else the functions that they mention may go
			functions := h.functions(t)
			if len(functions) == 0 {
				return otherwise()
			}
			for _, u := range functions {
				t.passed[u] = true
				inner = append(inner, part{node: h.inside(u), unit: u})
			}
		}
		l.passed, l.known = t.passed, nil
		for _, p := range inner {
			parts = l.heavy(p, parts)
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return int(b.node - a.node) })
	weights, nodes := make([]int, len(parts)), make([]int32, len(parts))
	for i, p := range parts {
		weights[i], nodes[i] = min(p.weight, t.base.Weight()), p.node
	}
	s := search{
		explorer: h, nodes: nodes,
		list: algo.List{
			Mode: algo.Items, Weights: weights, Whole: t.base.Weight(), Known: h.known(t.base, nodes),
		},
		edit: func(kept []int, learned needs) *parse.Candidate {
			var gone []int32
			for _, p := range parse.Others(parts, kept) {
				gone = append(append(gone, p.node), p.uses...)
			}
			return h.filled(t.base, h.keep(t.base.Drop(gone...), t.roots, learned))
		},
		slow: func(at state, _ func() *pass.Step) *pass.Step {
			next := t
			next.base, next.learned = at.base, at.learned
			return h.searchLinks(next)
		},
		then: func(at state) *pass.Step {
			next := t
			next.base, next.pace, next.learned = at.base, at.pace, at.learned
			for _, i := range at.left {
				next.open = append(next.open, parts[i])
			}
			if len(at.left) == len(parts) {
				return h.searchFunctions(next, otherwise)
			}
			return h.searchRoots(next)
		},
	}
	return s.begin(t, t.pace)
}

// functions returns the unvisited functions closest to the required definitions by mentions.
func (h *explorer) functions(t progress) (found []int32) {
	seen, named := make([]bool, len(h.units)), make([]bool, len(h.define))
	var next []int32
	see := func(u int32) {
		if u >= 0 && !seen[u] && t.base.Live(h.units[u].node) {
			seen[u] = true
			next = append(next, u)
		}
	}
	for _, u := range t.needed {
		see(u)
	}
	for len(next) > 0 && len(found) == 0 {
		layer := next
		next = nil
		for _, u := range layer {
			if h.inside(u) >= 0 && !t.passed[u] {
				found = append(found, u)
			}
			see(h.units[u].parent)
			for _, m := range h.units[u].mentions {
				if !named[m.name] && t.base.Live(m.node) {
					named[m.name] = true
					for _, d := range h.define[m.name] {
						see(d)
					}
				}
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	for i := range h.units { // in files, which have no mentions
		if u := int32(i); h.inside(u) >= 0 && !t.passed[u] && t.base.Live(h.units[u].node) {
			found = append(found, u)
		}
	}
	return found
}

// inside returns the body of a function, or a statement outside of functions that mentions several names, else -1.
func (h *explorer) inside(u int32) int32 {
	unit := &h.units[u]
	if unit.body < 0 && !unit.link && len(unit.mentions) >= fewest && len(unit.members) == 0 {
		return unit.node
	}
	return unit.body
}

// entries returns the roots that no other unit mentions, and those that these do not lead to.
func (h *explorer) entries(t progress) (some []int32) {
	mentioned := make([]bool, len(h.define))
	for i := range h.units {
		for _, m := range h.units[i].mentions {
			mentioned[m.name] = mentioned[m.name] || t.base.Live(m.node) && !slices.Contains(h.units[i].names, m.name)
		}
	}
	c := newClosure(&h.graph, t.base, whole)
	for _, u := range t.roots {
		if !h.units[u].hasAny(mentioned) {
			c.want(u)
			some = append(some, u)
		}
	}
	c.settle()
	for _, u := range t.roots {
		if !c.in[u] {
			some = append(some, u)
		}
	}
	return some
}

// effort limits an estimate by visited units.
const effort = 50_000_000

// An estimate finds parts that bring much weight.
type estimate struct {
	*explorer
	progress
	effort  int
	own     []int // of each definition, without members
	brought map[int32]int
	known   *closure // required units, without mentions
}

// heavy adds the outermost optional parts below p that bring much weight, alone or with their siblings.
func (l *estimate) heavy(p part, parts []part) []part {
	var light []part
	sum := 0
	for _, d := range l.base.Children(p.node) {
		below, itself := part{node: d, unit: p.unit}, l.base.WeightOf(d)
		switch node := &l.base.Tree().Nodes[d]; {
		case node.Comment:
			continue
		case !node.Slot.Droppable():
			parts = l.heavy(below, parts)
			continue
		}
		below.weight = l.brings(below)
		switch {
		case below.weight < shallow*itself:
			continue
		case below.weight == p.weight: // p has failed
			parts = l.heavy(below, parts)
			continue
		}
		if names := l.namesOf(d); len(names) > 0 {
			below.uses = uses(l.base, l.inside(p.unit), below, p.node, names)
		}
		if below.weight*share >= l.base.Weight() {
			var mentions []mention
			for _, n := range append([]int32{d}, below.uses...) {
				mentions = append(mentions, l.in(part{node: n, unit: p.unit})...)
			}
			below.weight = l.reach(mentions)
		}
		for _, u := range below.uses {
			itself += l.base.WeightOf(u)
		}
		switch {
		case below.weight < shallow*itself:
		case below.weight*share >= l.base.Weight():
			parts = append(parts, below)
		default:
			light = append(light, below)
			sum += below.weight
		}
	}
	if sum*share >= l.base.Weight() {
		parts = append(parts, light...)
	}
	return parts
}

// brings sums up the weights of the names, with repetitions.
func (l *estimate) brings(p part) (sum int) {
	for _, m := range l.in(p) {
		brought, known := l.brought[m.name]
		if !known {
			brought = l.reach([]mention{m})
			l.brought[m.name] = brought
		}
		sum += brought
	}
	return sum
}

func (l *estimate) in(p part) []mention {
	all := l.units[p.unit].mentions
	before := func(n int32) int {
		return sort.Search(len(all), func(i int) bool { return all[i].node >= n })
	}
	return all[before(p.node):before(l.base.Tree().Nodes[p.node].Next)]
}

// reach returns the weight of mentioned units, transitively, without required ones; 0 if the effort is too high.
func (l *estimate) reach(mentions []mention) (weight int) {
	if l.effort += len(l.units); l.effort > effort {
		return 0
	}
	if l.known == nil {
		l.known = newClosure(&l.graph, l.base, whole)
		for u, passed := range l.passed {
			if passed {
				l.known.know(int32(u))
			}
		}
		for _, u := range l.needed {
			l.known.know(u)
		}
	}
	c := l.known.clone()
	for _, m := range mentions {
		c.mention(m)
	}
	c.settle()
	known := l.known.in
	for u, in := range c.in {
		if in && !known[u] {
			weight += l.own[u]
		}
	}
	return weight
}

// uses returns the nodes like the part in parent that mention a name in a function's body.
func uses(base *parse.Candidate, body int32, p part, parent int32, names []string) (uses []int32) {
	tree := base.Tree()
	kind := tree.Kind(parent)
	var look func(n, in int32)
	look = func(n, in int32) {
		like := tree.Is(n, kind)
		for _, d := range base.Children(n) {
			in := in
			if like && tree.Nodes[d].Slot.Droppable() {
				in = d
			}
			switch {
			case d == p.node:
			case !tree.IsLeaf(d):
				look(d, in)
			case in >= 0 && (len(uses) == 0 || uses[len(uses)-1] != in) && slices.Contains(names, string(base.TextOf(d))):
				uses = append(uses, in)
			}
		}
	}
	look(body, -1)
	return uses
}

func (h *explorer) weights(base *parse.Candidate) []int {
	own := make([]int, len(h.units))
	for i := range h.units {
		u := &h.units[i]
		own[i] += base.WeightOf(u.node)
		if u.parent >= 0 {
			own[u.parent] -= base.WeightOf(u.node)
		}
	}
	return own
}
