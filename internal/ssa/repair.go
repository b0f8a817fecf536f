package ssa

import (
	"sync"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Repairing returns a pass whose candidates have no uses of deleted values, blocks and entities.
func Repairing(facts Facts, p pass.Pass) pass.Pass {
	search := p.Search
	p.Search = func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		graph := sync.OnceValue(func() *graph { return read(t, facts) })
		return repaired(search(t, gate, plan), func(c *parse.Candidate) *parse.Candidate {
			if c.Tree() != t || graph() == nil {
				return c
			}
			if d := graph().cutOf(c); len(d) > 0 {
				return graph().apply(c, d, anOperand)
			}
			return c
		})
	}
	return p
}

// repaired returns a search with other candidates.
func repaired(s *pass.Step, by func(*parse.Candidate) *parse.Candidate) *pass.Step {
	if s.Ended() {
		return s
	}
	out := *s
	if s.Fork != nil {
		out.Fork = make([]func() *pass.Step, len(s.Fork))
		for i, part := range s.Fork {
			out.Fork[i] = func() *pass.Step { return repaired(part(), by) }
		}
		out.Join = func(ends []any) *pass.Step { return repaired(s.Join(ends), by) }
		return &out
	}
	out.Candidate = by(s.Candidate)
	if s.Edit != nil {
		out.Edit = func(kept []int) *parse.Candidate { return by(s.Edit(kept)) }
	}
	out.Next = func(o algo.Outcome) *pass.Step { return repaired(s.Next(o), by) }
	if s.Repair != nil {
		out.Repair = func(reasons []string) *pass.Step { return repaired(s.Repair(reasons), by) }
	}
	return &out
}

// cutOf returns what a candidate lacks.
func (g *graph) cutOf(c *parse.Candidate) cut {
	d := cut{}
	for _, f := range g.regions {
		for i, b := range f.blocks {
			if i > 0 && b.name >= 0 && !c.Live(g.names[b.name].leaf) {
				d[b.node] = remove
			}
		}
	}
	for i := range g.items {
		it := &g.items[i]
		switch {
		case !c.Live(it.node):
			d[it.node] = remove
		case g.hasBody(it) && !c.Live(g.regions[it.region].node):
			d[it.node] = stub
		case it.block >= 0:
			g.edgesOf(c, it, d)
			fallthrough
		default:
			for _, name := range it.defines {
				if !c.Live(g.names[name].leaf) {
					d[g.names[name].leaf] = forget
				}
			}
		}
	}
	return d
}

// edgesOf adds the edges that a candidate lacks, and those whose incoming values it lacks.
func (g *graph) edgesOf(c *parse.Candidate, it *item, d cut) {
	if first := g.Nodes[it.node].First; c.Untouched(first, first+1) && g.isLast(it) { // not replaced
		for _, e := range g.regions[it.region].blocks[it.block].to {
			if e.member >= 0 && !c.Live(e.member) {
				d[e.leaf] = detach
			}
		}
	}
	for _, n := range g.incomingOf(it) {
		if c.Live(n) {
			continue
		}
		_, label := g.ends(n)
		for _, b := range g.regions[it.region].blocks {
			for _, e := range b.to {
				if e.block == it.block && b.name >= 0 && g.names[b.name].text == g.text(label) {
					d[e.leaf] = detach
				}
			}
		}
	}
}
