package deps

import (
	"slices"
	"strings"

	"whittle/parse"
)

// keep keeps the wanted units, the units around them, and all text outside of units. It also keeps mentioned units
// whose subjects and surrounding unit are kept.
func (g *graph) keep(base *parse.Candidate, wanted []int32, learned needs) *parse.Candidate {
	return base.DropFiles(g.without(base, wanted, learned)...)
}

// without returns the nodes of the other units, and their attributes.
func (g *graph) without(base *parse.Candidate, wanted []int32, learned needs) (gone []int32) {
	return newClosure(g, base, whole).without(wanted, learned)
}

func (c *closure) without(wanted []int32, learned needs) (gone []int32) {
	c.needs = learned
	for _, w := range wanted {
		c.want(w)
	}
	for _, w := range learned[always] {
		if c.base.Live(c.units[w].node) {
			c.admit(w)
		}
	}
	c.settle()
	for i := range c.units {
		if u := &c.units[i]; !c.in[i] && (u.parent < 0 || c.in[u.parent]) {
			gone = append(gone, u.node)
		}
	}
	return c.withLeads(gone)
}

// withLeads adds the attributes of nodes.
func (g *graph) withLeads(nodes []int32) []int32 {
	for _, n := range nodes {
		nodes = append(nodes, g.leads[n]...)
	}
	return nodes
}

// A closure is the growing set of kept units. Each may admit units that wait for it.
type closure struct {
	*graph
	base      *parse.Candidate
	needs     needs
	in        []bool
	missing   []int32 // subjects that each unit lacks
	supplied  []bool  // defined names
	mentioned []bool  // mentioned names
	order     []int32 // mentioned names as discovered
	extent    extent
	core      []bool          // names that the wanted units mention
	inside    map[member]bool // names that kept members of a class mention
}

// An extent decides which units a closure hides.
type extent int

const (
	whole  extent = iota // keeps all units
	named                // hides units without names, such as assertions
	hollow               // also hides the members of classes that the core does not mention
)

func newClosure(g *graph, base *parse.Candidate, e extent) *closure {
	c := &closure{
		graph: g, base: base, in: make([]bool, len(g.units)), missing: slices.Clone(g.subjects),
		supplied: make([]bool, len(g.define)), mentioned: make([]bool, len(g.define)), extent: e,
		core: make([]bool, len(g.define)), inside: map[member]bool{},
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
	case c.extent != whole && u.opens:
		c.admit(i)
	case c.isHidden(i):
	case c.isAway(i):
	case (u.operator || u.implicit) && u.parent >= 0 && !c.in[u.parent]:
	case len(u.names) > 0 && !u.implicit && !u.hasAny(c.mentioned):
	case c.suits(i):
		c.admit(i)
	}
}

// isAway reports whether a unit only serves a file that is not kept.
func (c *closure) isAway(i int32) bool {
	u := &c.units[i]
	if c.files.home == nil || c.files.home[i] < 0 || c.in[c.files.home[i]] {
		return false
	}
	return u.link || c.files.imports[i] || len(u.names) == 0 && c.subjects[i] == 0
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

// want admits a unit if it is live. Its mentions are the core.
func (c *closure) want(i int32) {
	if !c.base.Live(c.units[i].node) {
		return
	}
	for _, m := range c.units[i].mentions {
		if c.extent == hollow && c.base.Live(m.node) && !c.core[m.name] {
			c.core[m.name] = true
			for _, d := range c.define[m.name] {
				c.try(d)
			}
		}
	}
	c.admit(i)
}

// isHidden reports whether a unit is absent from a slice, unless want admits it.
func (c *closure) isHidden(i int32) bool {
	u, class := &c.units[i], c.class[i]
	switch {
	case c.extent == whole:
		return false
	case len(u.names) == 0 && c.files.imports != nil && c.files.imports[i]: // all names of a module
		return false
	case len(u.names) == 0:
		operator := u.operator || u.callable // as operator+, whose symbol is too frequent for a name
		return !u.link && !(operator && c.extent == named) && !strings.HasPrefix(c.base.Tree().Kind(u.node), "package")
	case c.extent == named:
		return false
	case u.outer >= 0 && u.callable && class < 0: // the declaration suffices
		return !u.hasAny(c.core)
	}
	return class >= 0 && !u.implicit && (!u.hasAny(c.core) || c.constructs(i)) &&
		!slices.ContainsFunc(u.names, func(name int32) bool { return c.inside[member{class, name}] })
}

// constructs reports whether a member is a constructor or a destructor.
func (g *graph) constructs(i int32) bool {
	return g.units[i].callable && g.class[i] >= 0 && slices.Equal(g.units[i].names, g.units[g.class[i]].names)
}

// admit keeps a unit and the consequences.
func (c *closure) admit(i int32) {
	for ; i >= 0 && !c.in[i]; i = c.units[i].parent {
		c.know(i)
		c.tryMembers(i)
		for _, m := range c.units[i].mentions {
			c.mention(m)
			for class := c.class[i]; c.extent == hollow && class >= 0 && c.base.Live(m.node); class = c.class[class] {
				c.require(class, m.name)
			}
		}
		if outer := c.units[i].outer; c.extent == hollow && outer >= 0 { // the declaration in the class
			for _, class := range c.define[outer] {
				for _, name := range c.units[i].names {
					c.require(class, name)
				}
			}
		}
		for _, needed := range c.needs[i] {
			if c.base.Live(c.units[needed].node) {
				c.admit(needed)
			}
		}
	}
}

// require admits members of a class.
func (c *closure) require(class, name int32) {
	if key := (member{class, name}); !c.inside[key] {
		c.inside[key] = true
		for _, d := range c.define[name] {
			c.try(d)
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
	for again := true; again; again = again || c.reach() {
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
				u := &c.units[d]
				if !defined[c.class[d]] && !c.isAway(d) && c.has(u.parent) && c.base.Live(u.node) && !c.isHidden(d) {
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
