package deps

import (
	"slices"

	"whittle/parse"
)

// keep returns the candidate with the wanted units and the units around them. It also keeps the
// units that kept ones mention, if the unit around them is kept and their subjects are, and all
// text outside of units.
func (g *graph) keep(base *parse.Candidate, wanted []int32) *parse.Candidate {
	c := newClosure(g, base)
	for _, w := range wanted {
		c.admit(w)
	}
	c.settle()
	var gone []int32
	for i := range g.units {
		if u := &g.units[i]; !c.in[i] && (u.parent < 0 || c.in[u.parent]) {
			gone = append(gone, u.node)
		}
	}
	return base.Drop(gone...)
}

// A closure computes the set of kept units. It only grows: an admitted unit may admit units
// that wait for it.
type closure struct {
	*graph
	base      *parse.Candidate
	in        []bool  // the kept units
	missing   []int32 // number of subjects that each unit lacks
	supplied  []bool  // names that a kept unit defines
	mentioned []bool  // names that a kept unit mentions
	order     []int32 // the mentioned names in the order of discovery
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

// try admits a unit if its conditions are met.
func (c *closure) try(i int32) {
	u := &c.units[i]
	switch {
	case c.in[i] || !c.has(u.parent) || !c.base.Live(u.node):
	case (u.operator || u.implicit) && u.parent >= 0 && !c.in[u.parent]:
	case len(u.names) > 0 && !u.implicit && !c.isMentioned(u):
	case c.suits(i):
		c.admit(i)
	}
}

func (c *closure) isMentioned(u *unit) bool {
	return slices.ContainsFunc(u.names, func(name int32) bool { return c.mentioned[name] })
}

// suits reports whether a unit has its subjects: all, or most if it defines no name.
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

// admit keeps a unit with the consequences.
func (c *closure) admit(i int32) {
	for ; i >= 0 && !c.in[i]; i = c.units[i].parent {
		c.in[i] = true
		for _, name := range c.units[i].names {
			c.supply(name)
		}
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

// supply updates the units that wait for the definition of a name.
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

// mention admits the definitions of a mentioned name.
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

// settle admits all definitions of a name if no definition has its subjects: those in the same
// class, such as constructors, or else all. Operators may stay undefined.
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
