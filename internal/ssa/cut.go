package ssa

import (
	"maps"
	"slices"
	"strings"

	"whittle/parse"
)

// A cut has an action for some nodes.
type cut map[int32]action

type action uint8

const (
	remove   action = iota + 1 // an entity, a parameter, an argument, a block, an instruction or an aside
	stub                       // a function loses its body
	detach                     // the leaf of an edge, which goes
	join                       // a block becomes a part of the only block before it
	forget                     // the leaf of a definition: the name is lost
	unwrap                     // an instruction becomes the body of its largest region
	constant                   // a value becomes a constant of its type
	nothing                    // a function becomes void
)

// A choice selects a value in place of a lost one.
type choice uint8

const (
	anOperand choice = iota // of its definition, else a parameter, else a constant
	aConstant               // of its type
	anything                // a value that is not defined
)

// A repair is a cut of a candidate with its consequences.
type repair struct {
	*graph
	cut
	choice
	base  *parse.Candidate
	dead  []bool  // items
	lost  []bool  // names
	queue []int32 // lost names to look at
	flows []*flow // of functions whose control flow changes

	operands  map[int32]operand // to replace
	used      []bool            // names in the new texts
	constants []inserted        // new instructions
	drop      []int32           // before the edits
	late      []int32           // after them
	edits     []parse.Edit
}

// An operand has the type of a value, and the lost name that it mentions.
type operand struct {
	of       string
	at, lost int32
	alone    bool // without further text
}

// apply returns a candidate after a cut, without the entities that lose their last mention.
func (g *graph) apply(base *parse.Candidate, c cut, values choice) *parse.Candidate {
	r := &repair{graph: g, cut: c, choice: values, base: base, operands: map[int32]operand{},
		dead: make([]bool, len(g.items)), lost: make([]bool, len(g.names)), used: make([]bool, len(g.names)),
		flows: make([]*flow, len(g.regions))}
	r.mark()
	for i := range g.regions {
		r.reflow(int32(i))
	}
	r.settle()
	r.base = base.Drop(r.drop...)
	for at := range g.items {
		r.edit(int32(at))
	}
	return r.insert(r.sweep(r.base.Apply(r.edits...).Drop(r.late...)))
}

// mark finds the items and names that go at first.
func (r *repair) mark() {
	for i := range r.items {
		it := &r.items[i]
		switch {
		case r.cut[it.node] == remove, it.block >= 0 && r.isStub(it.region):
			r.kill(int32(i))
		case r.cut[it.node] == unwrap && !r.dead[i]:
			r.unwrap(int32(i))
		case r.cut[it.node] == nothing && it.block < 0:
			r.forgetResults(int32(i))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.cut)) {
		switch r.cut[n] {
		case remove:
			r.drop = append(r.drop, n)
		case constant:
			r.put(n, parse.Literal(" ", r.facts.constant(r.text(r.typeBefore(n, -1)))))
		}
	}
	slices.Sort(r.drop)
	stays := func(n int32) bool { return r.is(n, isArgument) && r.cut[n] == 0 }
	for _, n := range r.drop {
		if list := r.Nodes[n].Parent; r.is(n, isArgument) && r.is(list, isArguments) && r.outermost(list, stays) == nil {
			r.drop = append(r.drop, list)
		}
	}
	for i := range r.names {
		if r.cut[r.names[i].leaf] == forget {
			r.lose(int32(i))
		}
	}
}

func (r *repair) isStub(function int32) bool {
	return r.cut[r.items[r.regions[function].item].node] == stub
}

// kill removes an item with the items in it.
func (r *repair) kill(at int32) {
	for _, k := range r.inside(at) {
		if !r.dead[k] {
			r.dead[k] = true
			r.lose(r.items[k].defines...)
		}
	}
}

func (r *repair) lose(names ...int32) {
	for _, name := range names {
		if name >= 0 && !r.lost[name] {
			r.lost[name] = true
			r.queue = append(r.queue, name)
		}
	}
}

// settle removes the mentions of lost names.
func (r *repair) settle() {
	for ; len(r.queue) > 0; r.queue = r.queue[1:] {
		for _, m := range r.names[r.queue[0]].uses {
			if !r.dead[m.item] {
				r.mend(m)
			}
		}
	}
}

func (r *repair) mend(m mention) {
	it := &r.items[m.item]
	if r.names[m.name].block >= 0 && (r.isLast(it) || r.around(m.leaf, it.node, r.with(isIncoming)) >= 0) {
		return // an edge
	}
	if n, of := r.operandAround(m, it.node); n >= 0 {
		r.operands[n] = operand{of, m.item, m.name, n == m.leaf}
	} else if n := r.around(m.leaf, it.node, r.isOptional); n >= 0 && r.around(m.leaf, it.node, r.with(isHolder)) < 0 {
		r.drop = append(r.drop, n)
	} else if !r.isLast(it) && it.role&isFunction == 0 && r.cut[it.node] != unwrap {
		r.drop = append(r.drop, it.node)
		r.kill(m.item)
	}
}

func (r *repair) replacement(o operand) string {
	if o.alone && r.choice == anOperand {
		if name := r.substitute(o.lost, o.of, longest); name >= 0 {
			r.used[name] = true
			return r.names[name].text
		}
	}
	if text := strings.Join(r.facts.words("undefined"), ""); text != "" && r.choice == anything {
		return text
	}
	return r.value(o.of, o.at)
}

// longest is the maximum number of definitions between a value and its substitute.
const longest = 1000

// substitute returns an operand of the definition of a lost value, else a parameter, of the same type; or -1.
func (r *repair) substitute(lost int32, of string, depth int) int32 {
	at := r.names[lost].item
	if depth == 0 || at < 0 || r.items[at].block < 0 {
		return -1
	}
	it := &r.items[at]
	joined := r.cut[r.regions[it.region].blocks[it.block].node] == join
	for _, m := range it.mentions {
		n, same := r.operandAround(m, it.node)
		if n != m.leaf || same != of || !joined && r.around(n, it.node, r.with(isIncoming)) >= 0 ||
			r.text(n) != r.names[m.name].text { // one of several values
			continue
		}
		if !r.lost[m.name] {
			return m.name
		}
		return r.substitute(m.name, of, depth-1)
	}
	return r.parameter(of, at)
}

func (g *graph) hasBody(it *item) bool {
	return it.role&isFunction != 0 && g.regions[it.region].blocks != nil
}

// sweep drops entities and constants that lost their last mention, except functions with bodies.
func (r *repair) sweep(c *parse.Candidate) *parse.Candidate {
	for weight := -1; weight != c.Weight(); {
		weight = c.Weight()
		stays := func(m mention) bool { return c.Untouched(r.Nodes[m.leaf].First, r.Nodes[m.leaf].Last) }
		var unused []int32
		for i := range r.items {
			it := &r.items[i]
			name := it.name()
			if (it.role&isEntity != 0 && (!r.hasBody(it) || r.isStub(it.region)) || r.isConstant(it)) &&
				name >= 0 && !r.used[name] && r.names[name].uses != nil && c.Live(it.node) &&
				!slices.ContainsFunc(r.names[name].uses, stays) {
				unused = append(unused, it.node)
			}
		}
		c = c.Drop(unused...)
	}
	return c
}
