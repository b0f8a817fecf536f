package deps

import (
	"slices"

	"whittle/parse"
)

// keep keeps the wanted units, the units around them, and all text outside of units. It also keeps mentioned units
// whose subjects and surrounding unit are kept.
func (g *graph) keep(base *parse.Candidate, wanted []int32) *parse.Candidate {
	return base.Drop(g.without(base, wanted)...)
}

// without returns the nodes of the other units.
func (g *graph) without(base *parse.Candidate, wanted []int32) (gone []int32) {
	c := newClosure(g, base)
	for _, w := range wanted {
		c.admit(w)
	}
	c.settle()
	for i := range g.units {
		if u := &g.units[i]; !c.in[i] && (u.parent < 0 || c.in[u.parent]) {
			gone = append(gone, u.node)
		}
	}
	return gone
}

// A closure is the growing set of kept units. Each may admit units that wait for it.
type closure struct {
	*graph
	base      *parse.Candidate
	in        []bool
	missing   []int32 // subjects that each unit lacks
	supplied  []bool  // defined names
	mentioned []bool  // mentioned names
	order     []int32 // mentioned names as discovered
}

func newClosure(g *graph, base *parse.Candidate) *closure {
	c := &closure{
		graph: g, base: base, in: make([]bool, len(g.units)), missing: slices.Clone(g.subjects),
		supplied: make([]bool, len(g.define)), mentioned: make([]bool, len(g.define)),
	}
	for _, i := range g.nameless {
		c.try(i)
	}
	return c
}

func (c *closure) has(parent int32) bool {
	return parent < 0 || c.in[parent] || c.units[parent].open && c.has(c.units[parent].parent)
}

func (c *closure) try(i int32) {
	u := &c.units[i]
	switch {
	case c.in[i] || !c.has(u.parent) || !c.base.Live(u.node):
	case (u.operator || u.implicit) && u.parent >= 0 && !c.in[u.parent]:
	case len(u.names) > 0 && !u.implicit && !u.hasAny(c.mentioned):
	case c.suits(i):
		c.admit(i)
	}
}

// suits reports whether a unit has all its subjects, or most if it defines no name.
func (c *closure) suits(i int32) bool {
	u, missing, all := &c.units[i], c.missing[i], c.subjects[i]
	switch {
	case u.operator:
		return true
	case len(u.names) > 0 || u.body >= 0:
		return missing == 0
	case all == 0:
		return len(u.members) == 0
	}
	return missing*2 < all
}

// admit keeps a unit and the consequences.
func (c *closure) admit(i int32) {
	for ; i >= 0 && !c.in[i]; i = c.units[i].parent {
		c.know(i)
		c.tryMembers(i)
		for _, m := range c.units[i].mentions {
			c.mention(m)
		}
	}
}

// know keeps a unit without its mentions.
func (c *closure) know(i int32) {
	if !c.in[i] {
		c.in[i] = true
		for _, name := range c.units[i].names {
			c.supply(name)
		}
	}
}

func (c *closure) supply(name int32) {
	if c.supplied[name] {
		return
	}
	c.supplied[name] = true
	for _, w := range c.waiting[name] {
		c.missing[w.unit] -= w.times
		c.try(w.unit)
	}
}

func (c *closure) tryMembers(i int32) {
	for _, m := range c.units[i].members {
		if c.units[m].open {
			c.tryMembers(m)
		}
		c.try(m)
	}
}

func (c *closure) mention(m mention) {
	if c.mentioned[m.name] || !c.base.Live(m.node) {
		return
	}
	c.mentioned[m.name] = true
	c.order = append(c.order, m.name)
	for _, d := range c.define[m.name] {
		c.try(d)
	}
}

// settle admits definitions of a name if none has its subjects: all in the same class, such as constructors, else all.
// Operators may stay undefined.
func (c *closure) settle() {
	for again := true; again; {
		again = false
		for i := 0; i < len(c.order); i++ {
			name := c.order[i]
			if !c.word[name] || c.supplied[name] && len(c.define[name]) == 1 {
				continue
			}
			defined := map[int32]bool{-1: c.supplied[name]} // by class
			for _, d := range c.define[name] {
				defined[c.class[d]] = defined[c.class[d]] || c.in[d]
			}
			for _, d := range c.define[name] {
				if u := &c.units[d]; !defined[c.class[d]] && c.has(u.parent) && c.base.Live(u.node) {
					c.admit(d)
					again = true
				}
			}
		}
	}
}

func (c *closure) clone() *closure {
	return &closure{
		graph: c.graph, base: c.base, in: slices.Clone(c.in), missing: slices.Clone(c.missing),
		supplied: slices.Clone(c.supplied), mentioned: slices.Clone(c.mentioned), order: slices.Clone(c.order),
	}
}
