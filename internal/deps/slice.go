package deps

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// A slice is the code around the places where a failure shows (pass.Plan.Clues): the statement there, and its
// dependencies. Its items are the other statements of that function. A hollow slice has the statements of all other
// functions as items, too. Items come back when a failure names them.
type slice struct {
	search
	places map[int32][]int // tokens
	roots  []int32         // their units
	hollow bool
}

// searchSlices asks for the hollow slice, then for the slice with the statements of other functions.
func (h *explorer) searchSlices(t progress, otherwise func(progress) *pass.Step) *pass.Step {
	places := h.clued(t.base)
	if len(places) == 0 {
		return otherwise(t)
	}
	wide := h.newSlice(t.base, places, false)
	return h.newSlice(t.base, places, true).ask(t, otherwise, func(t progress) *pass.Step {
		return wide.ask(t, otherwise, otherwise)
	})
}

// newSlice returns the slice for tokens in units.
func (h *explorer) newSlice(base *parse.Candidate, places map[int32][]int, hollow bool) *slice {
	s := &slice{search: search{explorer: h}, places: places, roots: slices.Sorted(maps.Keys(places)), hollow: hollow}
	for _, u := range s.roots {
		s.nodes = append(s.nodes, h.around(base, u, places[u])...)
	}
	if hollow {
		s.nodes = append(s.nodes, h.statements(base, s.roots)...)
	}
	slices.Sort(s.nodes)
	s.edit = s.draw(base)
	return s
}

// wider returns the slice with all statements of its functions; if it has them, with the code that mentions them, since
// a compiler may ignore unused functions; or nil.
func (s *slice) wider(base *parse.Candidate) *slice {
	places, names, narrow := map[int32][]int{}, map[int32]bool{}, false
	for _, u := range s.roots {
		places[u] = nil
		narrow = narrow || s.units[u].body >= 0 && s.places[u] != nil
		for _, name := range s.units[u].names {
			names[name] = s.units[u].body >= 0
		}
	}
	for i := 0; i < len(s.units) && !narrow; i++ {
		for _, m := range s.units[i].mentions {
			if _, known := s.places[int32(i)]; !known && names[m.name] && base.Live(m.node) && !s.hasName(i, m.name) {
				places[int32(i)] = append(places[int32(i)], int(s.tree.Nodes[m.node].First))
			}
		}
	}
	if added := len(places) - len(s.places); added == 0 && !narrow || added > mostOfName {
		return nil
	}
	return s.newSlice(base, places, s.hollow)
}

// clued returns the tokens at the places of the clues, by unit.
func (h *explorer) clued(base *parse.Candidate) map[int32][]int {
	v := newVictim(h, base, base, nil)
	places := map[int32][]int{}
	for _, clue := range h.plan.Clues {
		place, names, _ := strings.Cut(strings.TrimPrefix(clue, oracle.Clue), " ")
		if at := v.tokenAt(place); at >= 0 {
			if u := h.unitAt(at); u >= 0 {
				places[u] = append(places[u], at)
			}
			continue
		}
		for _, name := range strings.Fields(names) {
			if id, known := h.ids[name]; known {
				for _, u := range h.define[id] {
					places[u] = append(places[u], int(h.tree.Nodes[h.units[u].node].First))
				}
			}
		}
	}
	return places
}

// around returns the statements of a function that neither contain one of the tokens, nor define a name that such a
// statement mentions.
func (h *explorer) around(base *parse.Candidate, unit int32, tokens []int) (gone []int32) {
	nodes, body := h.tree.Nodes, h.units[unit].body
	if body < 0 {
		return nil
	}
	var walk func(n int32)
	walk = func(n int32) {
		var siblings []int32
		on := false
		for _, d := range base.Children(n) {
			if slices.ContainsFunc(tokens, func(t int) bool { return int(nodes[d].First) <= t && t < int(nodes[d].Last) }) {
				on = on || !h.tree.IsLeaf(d)
				walk(d)
			} else if nodes[d].Slot.Droppable() {
				siblings = append(siblings, d)
			}
		}
		if on && h.tree.Kind(n) == h.tree.Kind(body) {
			gone = append(gone, siblings...)
		}
	}
	walk(body)
	for {
		out := map[int32]bool{}
		for _, n := range gone {
			out[n] = true
		}
		mentioned := map[string]bool{}
		for n := body; n < nodes[body].Next; n++ {
			if out[n] {
				n = nodes[n].Next - 1
			} else if h.tree.IsLeaf(n) {
				mentioned[string(base.TextOf(n))] = true
			}
		}
		before := len(gone)
		gone = slices.DeleteFunc(gone, func(n int32) bool {
			return slices.ContainsFunc(h.namesOf(n), func(name string) bool {
				_, defined := h.ids[name] // outside
				return !defined && mentioned[name]
			})
		})
		if len(gone) == before {
			return gone
		}
	}
}

// statements returns the statements of all functions but roots.
func (h *explorer) statements(base *parse.Candidate, roots []int32) (nodes []int32) {
	for i := range h.units {
		if u := &h.units[i]; u.body >= 0 && base.Live(u.body) && !slices.Contains(roots, int32(i)) {
			nodes = append(nodes, base.Items(u.body)...)
		}
	}
	return nodes
}

// draw returns the edit that keeps some items.
func (s *slice) draw(base *parse.Candidate) func(kept []int, learned needs) *parse.Candidate {
	return func(kept []int, learned needs) *parse.Candidate {
		b := base.Drop(parse.Others(s.nodes, kept)...)
		c := newClosure(&s.graph, b, s.hollow)
		gone := c.without(s.roots, learned)
		if s.hollow && s.tree.Parts == nil {
			gone = s.rest(c, 0, map[int32]bool{}, gone)
		}
		return b.Drop(gone...)
	}
}

// rest adds the nodes between kept definitions, such as remains of syntax errors, and repeated empty namespaces.
func (s *slice) rest(c *closure, n int32, opened map[int32]bool, gone []int32) []int32 {
	isHead := s.firstUnit(n) < len(s.units) && s.units[s.firstUnit(n)].node == n
	stays := isHead // the node before; a semicolon may belong to it
	for _, d := range c.base.Children(n) {
		first, last := s.firstUnit(d), s.firstUnit(s.tree.Nodes[d].Next)
		isUnit := first < last && s.units[first].node == d
		behind := stays
		stays = slices.Contains(c.in[first:last], true)
		switch {
		case isUnit && (!c.in[first] || !s.isNamespace(d) && s.tree.Kind(d) != ""):
		case isUnit && s.isInline(d):
			gone = s.rest(c, d, opened, gone)
		case isUnit && !slices.Contains(c.in[first+1:last], true):
			if !slices.ContainsFunc(s.units[first].names, func(name int32) bool { return !opened[name] }) {
				gone = append(gone, d)
			}
			for _, name := range s.units[first].names {
				opened[name] = true
			}
		case stays:
			gone = s.rest(c, d, opened, gone)
		case s.tree.Nodes[d].Slot.Droppable() && first == last && !isHead && (!s.tree.IsLeaf(d) || !behind && !s.isWord(d)):
			gone = append(gone, d)
		}
	}
	return gone
}

func (s *slice) isWord(leaf int32) bool { return parse.WordLen(s.base.TextOf(leaf)) > 0 }

// firstUnit returns the first unit at or after a node.
func (h *explorer) firstUnit(n int32) int {
	return sort.Search(len(h.units), func(u int) bool { return h.units[u].node >= n })
}

// ask asks for the slice, and repairs or widens it after failures.
func (s *slice) ask(t progress, won, lost func(progress) *pass.Step) *pass.Step {
	return s.try(t, state{base: t.base, learned: experience{repairs: t.learned.repairs}}, 0, won, lost)
}

func (s *slice) try(t progress, at state, tries int, won, lost func(progress) *pass.Step) *pass.Step {
	c := s.edit(at.pinned, at.learned.needs)
	if c.Weight()*5 > t.base.Weight()*4 || !s.gate.Allows(t.base, c) {
		return lost(t)
	}
	step := &pass.Step{Candidate: c, About: &algo.Question{List: &algo.List{Kind: "slice"}}}
	step.Next = func(o algo.Outcome) *pass.Step {
		if o != algo.Interesting {
			if w := s.wider(t.base); o == algo.Uninteresting && w != nil && tries < mostRepairs {
				return w.try(t, state{base: t.base, learned: at.learned}, tries+1, won, lost)
			}
			return lost(t)
		}
		t := t
		t.base, t.learned.needs = c, at.learned.needs
		t.roots = slices.DeleteFunc(slices.Clone(t.roots), func(u int32) bool { return !c.Live(s.units[u].node) })
		return won(t)
	}
	step.Repair = func(reasons []string) *pass.Step {
		more := s.learn(at, c, reasons)
		if tries >= mostRepairs || s.edit(more.pinned, more.learned.needs).Weight() == c.Weight() {
			return lost(t)
		}
		return s.try(t, more, tries+1, won, lost)
	}
	return step
}
