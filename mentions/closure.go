package mentions

import (
	"slices"

	"whittle/parse"
)

// keep returns the candidate with the units that are wanted, those around them, and what
// is mentioned in one that stays, if the unit around it stays. What defines nothing stays
// where most of what it mentions is defined. Of the file it keeps what is in no unit.
func (g *graph) keep(base *parse.Candidate, wanted []int32) *parse.Candidate {
	c := newClosure(g, base)
	for _, w := range wanted {
		c.admit(w)
	}
	c.complete()
	var gone []int32
	for i := range g.units {
		if u := &g.units[i]; !c.in[i] && (u.parent < 0 || c.in[u.parent]) {
			gone = append(gone, u.node)
		}
	}
	return base.Drop(gone...)
}

// A closure is what stays of a candidate, on its way.
type closure struct {
	*graph
	base      *parse.Candidate
	in        []bool // the units that stay
	mentioned []bool // the names that one mentions
}

func newClosure(g *graph, base *parse.Candidate) *closure {
	return &closure{g, base, make([]bool, len(g.units)), make([]bool, len(g.define))}
}

// complete admits what defines nothing.
func (c *closure) complete() {
	for again := true; again; {
		again = false
		for _, i := range c.nameless {
			u := &c.units[i]
			if !c.in[i] && c.has(u.parent) && (u.operator && c.in[u.parent] || !u.operator && c.supplies(u)) {
				c.admit(i)
				again = true
			}
		}
	}
}

// has reports whether the unit around one is there for it.
func (c *closure) has(parent int32) bool {
	return parent < 0 || c.in[parent] || c.units[parent].open && c.has(c.units[parent].parent)
}

// admit has a unit stay, and what follows from that.
func (c *closure) admit(i int32) {
	for ; i >= 0 && !c.in[i]; i = c.units[i].parent {
		c.in[i] = true
		c.admitMembers(i)
		for _, m := range c.units[i].mentions {
			c.mention(m)
		}
	}
}

// mention admits what a mention may mean, if it is there.
func (c *closure) mention(m mention) {
	if c.mentioned[m.name] || !c.base.Live(m.node) {
		return
	}
	c.mentioned[m.name] = true
	for _, d := range c.define[m.name] {
		if !c.in[d] && c.has(c.units[d].parent) {
			c.admit(d)
		}
	}
}

// admitMembers admits the members of a unit that are mentioned.
func (c *closure) admitMembers(i int32) {
	for _, m := range c.units[i].members {
		if c.units[m].open {
			c.admitMembers(m)
		}
		if !c.in[m] && slices.ContainsFunc(c.units[m].names, func(name int32) bool { return c.mentioned[name] }) {
			c.admit(m)
		}
	}
}

// supplies reports whether most of what the head of a unit mentions is defined by units
// that stay.
func (c *closure) supplies(u *unit) bool {
	all, missing := 0, 0
	for _, m := range u.mentions {
		if u.body >= 0 && m.node > u.body {
			break
		}
		all++
		if !slices.ContainsFunc(c.define[m.name], func(d int32) bool { return c.in[d] }) {
			missing++
		}
	}
	return missing == 0 && (all > 0 || len(u.members) == 0) || missing*2 < all
}
