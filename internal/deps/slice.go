package deps

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// A slice is the code around the places where a failure shows (pass.Plan.Clues): the statement there, and its
// dependencies. Its items are the other statements of that function, and the statements of all other functions.
//
// A full slice has all mentioned members of its classes, and its failures restore code. A narrow slice has few members;
// its failures restore little, and code with errors changes or goes. A lighter slice lacks a heavy definition; its
// failures are as in narrow ones.
type slice struct {
	search
	full    bool // failures restore code
	extent  extent
	places  map[int32][]int // tokens
	roots   []int32         // their units
	fields  []int32         // with constructors and specializations, in a wider slice
	marks   map[int32][]int // places that loosening keeps
	loose   []loosening     // changes of code with errors
	certain []loosening     // stay
	firm    []int32         // nodes whose change caused another error
	yields  bool            // these change again
	seen    map[string]bool // errors of the last question
	plain   string          // a built-in type
	at      state
	c       *parse.Candidate
}

// Bounds of the questions about slices.
const (
	mostFull       = 24 // those that succeed take 3 to 16
	mostAgain      = 4  // full slices after a lighter one
	mostNarrow     = 24
	mostLighter    = 6   // after a success, with two questions for each
	lightest       = 16  // a gain of 1/lightest of the file is worth a question
	tokensPerSlice = 200 // a smaller file is worth fewer slices
)

// searchSlices asks for full slices, then for narrow ones of the result, and for lighter slices after a success. After
// a success of these it begins again with few full slices. At the end it continues with otherwise.
func (h *explorer) searchSlices(t progress, otherwise func(progress) *pass.Step) *pass.Step {
	places := h.clued(t.base)
	if len(places) == 0 {
		return otherwise(t)
	}
	var full func(t progress, most int, last *slice, failed func(*slice, progress) *pass.Step) *pass.Step
	var lighter func(s *slice, t progress) *pass.Step
	lighter = func(s *slice, t progress) *pass.Step {
		if s == nil {
			return otherwise(t)
		}
		return h.ask(s.lighter(t), 2*mostLighter, t, func(s *slice, t progress) *pass.Step {
			return full(t, mostAgain, s, lighter)
		}, otherwise)
	}
	narrow := func(last *slice, t progress) *pass.Step {
		around := places
		if last != nil { // whole functions and their callers, if it needed them
			around = last.places
		}
		s := h.newSlice(t, around, nil, hollow)
		return h.ask([]*slice{s}, min(mostNarrow, t.base.Weight()/tokensPerSlice), t, lighter, func(t progress) *pass.Step {
			return lighter(last, t)
		})
	}
	full = func(t progress, most int, last *slice, failed func(*slice, progress) *pass.Step) *pass.Step {
		s := h.newSlice(t, places, nil, named)
		return h.ask([]*slice{s}, min(most, t.base.Weight()/tokensPerSlice), t, narrow, func(t progress) *pass.Step {
			return failed(last, t)
		})
	}
	return full(t, mostFull, nil, narrow)
}

// newSlice returns a full slice if e is named, a narrow one if it is hollow.
func (h *explorer) newSlice(t progress, places map[int32][]int, fields []int32, e extent) *slice {
	s := &slice{search: search{explorer: h}, places: places, marks: places, fields: fields, plain: h.plainest()}
	s.extent, s.full = e, e == named
	s.roots = slices.Sorted(maps.Keys(places))
	s.at = state{base: t.base, learned: t.learned}
	s.at.learned.needs = nil
	if s.full { // a compiler needs the fields of std::initializer_list again
		s.at.learned.needs = maps.Clone(t.learned.needs)
		delete(s.at.learned.needs, unwanted)
	}
	for _, u := range s.roots {
		s.nodes = append(s.nodes, h.around(t.base, u, s.places[u])...)
	}
	s.nodes = append(s.nodes, h.statements(t.base, s.roots)...)
	slices.Sort(s.nodes)
	s.nodes = slices.Compact(s.nodes)
	if e == hollow {
		s.certain = s.unconstrained()
	}
	s.edit = s.draw(t.base)
	s.c = s.edit(nil, nil)
	return s
}

// with returns the slice with other items and dependencies.
func (s *slice) with(at state) *slice {
	w := *s
	w.at = at
	w.edit = w.draw(at.base)
	w.c = w.edit(at.pinned, at.learned.needs)
	return &w
}

// ask asks for the smallest of the waiting slices. After a failure with reasons it adds the repaired slice, after one
// without a wider slice. After a success it continues with won, at the end or after most questions with failed.
func (h *explorer) ask(
	waiting []*slice, most int, t progress, won func(*slice, progress) *pass.Step, failed func(progress) *pass.Step,
) *pass.Step {
	if len(waiting) == 0 || most == 0 {
		return failed(t)
	}
	s := slices.MinFunc(waiting, func(a, b *slice) int { return cmp.Compare(a.c.Weight(), b.c.Weight()) })
	goOn := func(more ...*slice) *pass.Step {
		others := slices.DeleteFunc(slices.Clone(waiting), func(w *slice) bool { return w == s })
		return h.ask(append(others, more...), most-1, t, won, failed)
	}
	if s.c.Weight()*lightest > t.base.Weight()*(lightest-1) || !s.gate.Allows(t.base, s.c) {
		return goOn()
	}
	step := &pass.Step{Candidate: s.c, About: &algo.Question{List: &algo.List{Kind: "slice"}}}
	accepted := func(reasons []string) *pass.Step {
		t := t
		t.base, t.learned = s.c, s.at.learned.withShown(newVictim(s.explorer, s.at.base, s.c), reasons)
		t.learned.needs = maps.Clone(s.at.learned.needs)
		delete(t.learned.needs, unwanted)
		t.roots = slices.DeleteFunc(slices.Clone(t.roots), func(u int32) bool { return !s.c.Live(s.units[u].node) })
		return won(s, t)
	}
	step.Accepted = accepted
	step.Next = func(o algo.Outcome) *pass.Step {
		if o == algo.Interesting {
			return accepted(nil)
		}
		return goOn(s.wider(t)...)
	}
	step.Repair = func(reasons []string) *pass.Step {
		if reasons = s.at.learned.others(newVictim(s.explorer, s.at.base, s.c), reasons); len(reasons) == 0 {
			return step.Next(algo.Uninteresting)
		}
		repaired := s.loosen
		if s.full {
			repaired = s.restore
		}
		if r := repaired(reasons); r.differs(s) {
			return goOn(r)
		}
		return goOn()
	}
	return step
}

// clued returns the tokens at the places of the clues, by unit.
func (h *explorer) clued(base *parse.Candidate) map[int32][]int {
	v := newVictim(h, base, base)
	places := map[int32][]int{}
	for _, clue := range h.plan.Clues {
		place, names, _ := strings.Cut(strings.TrimPrefix(clue, oracle.Clue), " ")
		if at := v.tokenAt(place); at >= 0 {
			if u := h.unitAt(at); u >= 0 {
				for _, m := range v.functions(u, strings.Fields(names)) {
					places[m] = append(places[m], at)
				}
			}
			continue
		}
		if len(places) > 0 && !strings.HasPrefix(clue, oracle.Clue) {
			continue // an error that follows from the failure, as of a build
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

// functions returns the members of a unit that have one of the names, otherwise the unit. If it has another name, it
// returns the functions with the first name: the place of a failure after parsing may be the end of the file.
func (v *victim) functions(unit int32, names []string) (found []int32) {
	for _, m := range v.units[unit].members {
		if v.units[m].body >= 0 && v.isNamed(m, names) {
			found = append(found, m)
		}
	}
	if found == nil && len(names) > 0 && !v.isNamed(unit, names) {
		found = slices.DeleteFunc(v.defining(names[:1]), func(u int32) bool { return v.units[u].body < 0 })
	}
	if len(found) == 0 || len(found) > mostOfName {
		return []int32{unit}
	}
	return found
}

// around returns the statements of a function that neither contain one of the tokens, nor define a name that such a
// statement mentions. A pragma stays with the statement after it.
func (h *explorer) around(base *parse.Candidate, unit int32, tokens []int) (gone []int32) {
	nodes, body := h.tree.Nodes, h.units[unit].body
	if body < 0 || len(tokens) == 0 { // it stays whole
		return nil
	}
	isKept := func(n int32) bool { return slices.ContainsFunc(tokens, func(t int) bool { return h.has(n, t) }) }
	for _, n := range h.initializers(base, body) {
		if !isKept(n) {
			gone = append(gone, n)
		}
	}
	var walk func(n int32)
	walk = func(n int32) {
		var siblings []int32
		on := false
		for _, d := range base.Children(n) {
			if isKept(d) {
				on = on || !h.tree.IsLeaf(d)
				for len(siblings) > 0 && h.tree.Is(siblings[len(siblings)-1], "preproc_call") { // as #pragma omp
					siblings = siblings[:len(siblings)-1]
				}
				walk(d)
			} else if nodes[d].Slot.Droppable() && string(base.TextOf(d)) != ";" { // a semicolon may end a kept class
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
				return mentioned[name] && !(h.sees(unit, name) && h.assigns(n))
			})
		})
		if len(gone) == before {
			return gone
		}
	}
}

// sees reports whether a unit can mention a definition by its name alone: one outside of classes, or in its own class.
func (h *explorer) sees(unit int32, name string) bool {
	id, known := h.ids[name]
	return known && slices.ContainsFunc(h.define[id], func(d int32) bool {
		return h.class[d] < 0 || h.class[d] == h.class[unit]
	})
}

// assigns reports whether a statement is an assignment.
func (h *explorer) assigns(n int32) bool {
	if part := h.onlyPart(n); part >= 0 {
		n = part
	}
	return h.tree.Child(n, "left") >= 0
}

// statements returns the statements of all functions but roots.
func (h *explorer) statements(base *parse.Candidate, roots []int32) (nodes []int32) {
	for i := range h.units {
		if u := &h.units[i]; u.body >= 0 && base.Live(u.body) && !slices.Contains(roots, int32(i)) && !h.isDeduced(u.body) {
			nodes = append(nodes, h.content(base, u.body)...)
			nodes = append(nodes, h.initializers(base, u.body)...)
		}
	}
	return nodes
}

// content returns the statements of a body. In braces, a single one may be required by the grammar.
func (h *explorer) content(c *parse.Candidate, body int32) []int32 {
	if !h.isBraced(body) {
		return c.Items(body)
	}
	return slices.DeleteFunc(c.Children(body), func(d int32) bool {
		return h.tree.IsLeaf(d) && !h.tree.Nodes[d].Slot.Droppable()
	})
}

// initializers returns the list of initializers before the body of a constructor.
func (h *explorer) initializers(base *parse.Candidate, body int32) []int32 {
	return slices.DeleteFunc(base.Children(h.tree.Nodes[body].Parent), func(d int32) bool {
		return !h.tree.Is(d, "field_initializer_list")
	})
}

// draw returns the edit that keeps some items.
func (s *slice) draw(base *parse.Candidate) func(kept []int, learned needs) *parse.Candidate {
	uninstantiated := s.uninstantiated()
	return func(kept []int, learned needs) *parse.Candidate {
		out := append(parse.Others(s.nodes, kept), uninstantiated...)
		for _, u := range learned[unwanted] {
			if !learned.have(u) {
				out = append(out, s.units[u].node)
			}
		}
		slices.Sort(out)
		b := s.stubbed(base, s.loosened(base.Drop(out...)), s.roots, s.at.learned.returning)
		c := newClosure(&s.graph, b, s.extent)
		gone := c.without(s.roots, learned.with(always, s.fields))
		if s.tree.Parts == nil {
			gone = append(gone, s.withLeads(s.rest(c, 0, map[string]bool{}, nil))...)
		}
		return s.filled(base, b.DropFiles(append(gone, s.hiding(base)...)...))
	}
}

// hiding returns the words by which a compiler ignores roots that no other root calls, such as static.
func (s *slice) hiding(base *parse.Candidate) (words []int32) {
	for _, r := range s.roots {
		isCaller := func(o int32) bool { return o != r && len(s.calls(base, o, r)) > 0 }
		if s.class[r] >= 0 || slices.ContainsFunc(s.roots, isCaller) {
			continue
		}
		for _, name := range s.units[r].names {
			for _, d := range s.define[name] { // also declarations
				for _, n := range base.Items(s.units[d].node) {
					text := string(base.TextOf(n))
					if s.class[d] < 0 && s.tree.IsLeaf(n) && (text == "static" || text == "inline") {
						words = append(words, n)
					}
				}
			}
		}
	}
	return words
}

// rest adds the nodes between kept definitions, such as remains of syntax errors, and repeated empty namespaces.
func (s *slice) rest(c *closure, n int32, opened map[string]bool, gone []int32) []int32 {
	isHead := s.firstUnit(n) < len(s.units) && s.units[s.firstUnit(n)].node == n || s.tree.Child(n, "body") >= 0
	stays := isHead // the node before; a semicolon may belong to it
	for _, d := range c.base.Children(n) {
		first, last := s.firstUnit(d), s.firstUnit(s.tree.Nodes[d].Next)
		isUnit := first < last && s.units[first].node == d
		behind := stays
		stays = slices.Contains(c.in[first:last], true)
		switch {
		case isUnit && (!c.in[first] || !s.isNamespace(max(d, s.onlyPart(d)))):
		case isUnit && s.isInline(d):
			gone = s.rest(c, d, opened, gone)
		case isUnit && !slices.Contains(c.in[first+1:last], true):
			if name := s.qualified(int32(first)); opened[name] {
				gone = append(gone, d)
			} else {
				opened[name] = true
			}
		case stays:
			gone = s.rest(c, d, opened, gone)
		case s.tree.IsLead(d):
		case behind && s.tree.Nodes[d].Comment: // an attribute of the node before
			stays = true
		case s.tree.Nodes[d].Slot.Droppable() && s.tree.Field(d) == "" && first == last && !isHead &&
			(!s.tree.IsLeaf(d) || !behind && parse.WordLen(s.base.TextOf(d)) == 0):
			gone = append(gone, d)
		}
	}
	return gone
}
