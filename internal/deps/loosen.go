package deps

import (
	"slices"
	"strings"

	"whittle/parse"
)

// A loosening is a small change of code with an error: the node goes, or a part of it or words replace it.
type loosening struct {
	node, with int32
	words      string
	certain    bool // has no other effects, so that no error undoes it
}

// cheap is the number of tokens up to which missing code comes back before the code with the error changes.
const cheap = 24

// affordable returns the number of tokens that come back before a definition changes. If the failure shows at a whole
// root, each of its statements and the definitions that it mentions may cause it.
func (s *slice) affordable(u int32) int {
	for _, r := range s.roots {
		isNear := r == u || u >= 0 && slices.ContainsFunc(s.units[r].mentions, func(m mention) bool {
			return s.at.base.Live(m.node) && slices.Contains(s.units[u].names, m.name)
		})
		if isNear && s.units[r].body >= 0 && !s.hasPlace(r) {
			return s.at.base.Weight()
		}
	}
	return cheap
}

// loosen adapts a slice to the reasons of a failure. Errors in bodies and types, and the first one elsewhere in a
// definition, change the code there, or bring back missing code if it is cheap. The other reasons adapt the slice as in
// [slice.adapt]. A narrow slice changes its roots last, since other errors may cause theirs. If it has no other change,
// all changes outside of the roots are undone once, and their errors bring back code. If this has no effect, undone
// changes are made again.
func (s *slice) loosen(reasons []string) *slice {
	if s.extent != hollow {
		return s.repaired(reasons)
	}
	v := newVictim(s.explorer, s.at.base, s.c)
	outside := slices.DeleteFunc(slices.Clone(reasons), func(reason string) bool {
		place, names, _ := strings.Cut(reason, " ")
		token := v.tokenAt(place)
		u := s.unitAt(token)
		return slices.Contains(s.roots, u) && s.inBody(u, token) && len(v.operatorAt(token, strings.Fields(names))) == 0
	})
	r := s.repaired(outside)
	if !r.differs(s) {
		r = s.repaired(reasons)
	}
	if s.yields || r.differs(s) {
		return r
	}
	w, roots := *s, s.inRoots()
	for _, l := range parse.Others(s.loose, roots) {
		w.firm = append(w.firm[:len(w.firm):len(w.firm)], l.node)
	}
	w.loose = choose(s.loose, roots)
	if w.yields = len(w.loose) == len(s.loose); w.yields {
		return w.repaired(reasons)
	}
	return w.with(s.at)
}

// repaired returns the slice with changes or missing code for some of the reasons.
func (s *slice) repaired(reasons []string) *slice {
	var rest []string
	at, w := s.at, *s
	v, weight := newVictim(s.explorer, s.at.base, s.c), s.c.Weight()
	isNarrow := s.extent == hollow // otherwise it is lighter, without a definition that many errors name
	v.exact, w.seen = isNarrow, map[string]bool{}
	broken, answered := map[int32]bool{}, map[string]bool{}
	for _, reason := range reasons {
		place, list, _ := strings.Cut(reason, " ")
		token, names := v.tokenAt(place), strings.Fields(list)
		u, subjects := s.unitAt(token), names[:min(len(names), 2)] // the others are namespaces and arguments
		w.seen[key(v, reason)] = true
		if !s.at.learned.returning && s.lacksReturn(u, token, list) {
			at.learned.returning = true
			continue
		}
		if isNarrow && (answered[list] || s.concerns(v, broken, u, subjects) || w.undo(v, u, subjects)) {
			continue
		}
		broken[u] = true
		l := s.change(u, token)
		if l.certain {
			w.changed(l)
			continue
		}
		if l == (loosening{}) {
			rest = append(rest, reason)
			continue
		}
		var restored state
		if s.inBody(u, token) {
			restored = s.adapt(v, at, []string{reason})
		} else {
			restored, _ = s.add(at, v, reason)
		}
		isFirm, most := !w.yields && slices.Contains(w.firm, l.node), cheap
		if isNarrow && !s.seen[key(v, reason)] {
			most = s.affordable(u)
		}
		if added := s.with(restored).c.Weight() - weight; 0 < added && (added <= most || isFirm) {
			at, weight, answered[list] = restored, weight+added, true
		} else if isFirm {
			rest = append(rest, reason)
		} else {
			w.changed(l)
		}
	}
	return w.with(s.adapt(v, at, rest))
}

// inRoots returns the indices of changes in the bodies of roots.
func (s *slice) inRoots() (found []int) {
	for i, l := range s.loose {
		if slices.ContainsFunc(s.roots, func(r int32) bool { return s.inBody(r, int(s.tree.Nodes[l.node].First)) }) {
			found = append(found, i)
		}
	}
	return found
}

// differs reports whether a repaired slice is worth a question.
func (s *slice) differs(from *slice) bool {
	return s.c.Weight() != from.c.Weight() || !slices.Equal(s.loose, from.loose) || len(s.certain) > len(from.certain)
}

// concerns reports whether an error names a definition that has an error before.
func (s *slice) concerns(v *victim, broken map[int32]bool, at int32, names []string) bool {
	for u := range broken {
		if u >= 0 && u != at && !s.contains(s.units[u].node, s.units[max(at, 0)].node) && v.isNamed(u, names) {
			return at < 0 || !v.isNamed(at, names)
		}
	}
	return false
}

// undo undoes the changes of the definitions that an error elsewhere names, as for a class whose base class is gone. It
// reports whether there are any. They are not repeated.
func (s *slice) undo(v *victim, at int32, names []string) bool {
	if s.yields {
		return false
	}
	before := len(s.loose)
	s.loose = slices.DeleteFunc(slices.Clone(s.loose), func(l loosening) bool {
		first := int(s.tree.Nodes[l.node].First)
		u := s.unitAt(first)
		undo := u >= 0 && u != at && v.isNamed(u, names) && !s.inBody(u, first)
		if undo {
			s.firm = append(s.firm[:len(s.firm):len(s.firm)], l.node)
		}
		return undo
	})
	return len(s.loose) < before
}

// change returns a change of code with an error, or none.
func (s *slice) change(u int32, token int) loosening {
	switch {
	case s.inBody(u, token):
		return s.loosenBody(u, token)
	case u >= 0 && !s.isNamespace(s.units[u].node):
		return s.loosenUnit(u, token)
	}
	return loosening{}
}

// changed adds a change, in place of an earlier one of the node.
func (s *slice) changed(l loosening) {
	if l.certain {
		s.certain = append(s.certain[:len(s.certain):len(s.certain)], l)
	} else if !slices.Contains(s.loose, l) {
		s.loose = append(slices.DeleteFunc(slices.Clone(s.loose), func(o loosening) bool { return o.node == l.node }), l)
	}
}

// loosenUnit changes a definition outside of its body: its value goes if it has the error, and a type with the error
// becomes plain. For the first error elsewhere, its own type becomes plain, or optional parts next to its body go, such
// as base classes.
func (s *slice) loosenUnit(u int32, token int) loosening {
	if s.tree.Is(s.units[u].node, "impl_item") { // only types of the crate have implementations
		return loosening{}
	}
	if l := s.definite(s.units[u].node); s.has(l.node, token) && l.certain && !slices.Contains(s.certain, l) {
		return l
	}
	path := append([]int32{s.units[u].node}, s.path(s.units[u].node, token)...)
	own := int32(-1)
	for _, n := range path {
		if value := s.tree.Child(n, "default_value"); value >= 0 && s.has(value, token) {
			return loosening{node: value}
		}
		d := s.tree.Child(n, "type")
		if d >= 0 && s.tree.Child(d, "body") < 0 && s.plain != "" && s.text(d) != s.plain && !s.isBinding(n) {
			if s.has(d, token) && !slices.Contains(s.loose, loosening{node: d, words: s.plain}) {
				return loosening{node: d, words: s.plain}
			}
			if own < 0 {
				own = d
			}
		}
	}
	switch {
	case s.isLoose(u):
		return loosening{}
	case own >= 0:
		return loosening{node: own, words: s.plain}
	}
	for _, n := range path {
		for _, d := range s.at.base.Children(n) {
			if s.tree.Child(n, "body") >= 0 && s.tree.Nodes[d].Slot.Droppable() && s.tree.Field(d) == "" &&
				!s.tree.IsLeaf(d) && !s.isMarked(u, d) && !s.tree.Is(d, "where_clause") { // a body needs its bounds
				return loosening{node: d}
			}
		}
	}
	return loosening{}
}

// isLoose reports whether code in a unit has changed outside of its body.
func (s *slice) isLoose(u int32) bool {
	return slices.ContainsFunc(s.loose, func(l loosening) bool {
		return s.contains(s.units[u].node, l.node) && !s.inBody(u, int(s.tree.Nodes[l.node].First))
	})
}

func (s *slice) isMarked(u, n int32) bool {
	return slices.ContainsFunc(s.marks[u], func(t int) bool { return s.has(n, t) })
}

// hasPlace reports whether the failure shows at a statement of a root, and not only at the function.
func (s *slice) hasPlace(u int32) bool {
	return slices.ContainsFunc(s.at.base.Children(s.units[u].body), func(n int32) bool {
		return !s.tree.IsLeaf(n) && s.isMarked(u, n)
	})
}

func (s *slice) inBody(u int32, token int) bool {
	return u >= 0 && s.units[u].body >= 0 && s.has(s.units[u].body, token)
}

// loosenBody changes the innermost statement with the error. Without a mark of the slice it goes, but a definition with
// a type only loses its value. Otherwise the largest member of a list with the error becomes a plain value, and goes at
// the next error; or a part with the mark replaces the code around it.
func (s *slice) loosenBody(u int32, token int) loosening {
	body := s.units[u].body
	parent, l := body, loosening{}
	var marked []int32
	for _, n := range s.path(body, token) {
		isStatement := s.tree.Kind(parent) == s.tree.Kind(body)
		parent = n
		if s.isMarked(u, n) {
			marked = append(marked, n)
			continue
		}
		if d := s.tree.Child(n, "declarator"); d >= 0 && !strings.HasPrefix(s.text(s.tree.Child(n, "type")), "auto") {
			if v, name := s.tree.Child(d, "value"), s.tree.Child(d, "declarator"); v >= 0 && s.has(v, token) && name >= 0 {
				l = loosening{node: d, with: name}
				continue
			}
		}
		if s.tree.Nodes[n].Slot.Droppable() && (isStatement || l.node == 0 && s.inBrackets(n)) {
			l = loosening{node: n, words: s.plan.Value}
			if isStatement || s.tree.Parts != nil || slices.Contains(s.loose, l) {
				l.words = ""
			}
		}
	}
	if l.node > 0 || len(marked) == 0 {
		return l
	}
	for _, t := range s.marks[u] {
		for _, d := range s.path(body, t) {
			for _, n := range slices.Backward(marked) {
				if d > n && s.has(n, t) && !s.has(d, token) && s.fits(n, d) {
					return loosening{node: n, with: d}
				}
			}
		}
	}
	return l
}

// fits reports whether d can replace n, which is around it.
func (s *slice) fits(n, d int32) bool {
	return !s.tree.IsLeaf(d) && s.tree.Replaceable(n, d) && !s.defines(n, d)
}

// loosened returns a candidate with the changes.
func (s *slice) loosened(c *parse.Candidate) *parse.Candidate {
	all := slices.Concat(s.certain, s.loose)
	var out []int32
	for _, l := range all {
		switch {
		case l.with > 0:
			out = append(out, s.outside(l)...)
		case l.words == "":
			out = append(out, l.node)
			if s.tree.Is(l.node-1, "=") && s.tree.Field(l.node) == "default_value" {
				out = append(out, l.node-1)
			}
		}
	}
	c = c.Drop(out...)
	var edits []parse.Edit
	for _, l := range all {
		if l.words != "" && c.Live(l.node) {
			edits = append(edits, s.tree.Replace([]int32{l.node}, words(l.words)...))
		}
	}
	return c.Apply(edits...)
}

// outside returns the nodes of l.node outside of l.with, without a semicolon at the end.
func (s *slice) outside(l loosening) (out []int32) {
	for n := l.node; n >= 0 && n != l.with; {
		next := int32(-1)
		for _, d := range s.at.base.Children(n) {
			if s.contains(d, l.with) {
				next = d
			} else if s.text(d) != ";" {
				out = append(out, d)
			}
		}
		n = next
	}
	return out
}

// plainest returns the first built-in type of the file that has values, or "".
func (h *explorer) plainest() string {
	for n := range int32(len(h.tree.Nodes)) {
		if h.tree.IsLeaf(n) && h.tree.Is(n, "primitive_type") && h.base.Live(n) {
			if t := string(h.base.TextOf(n)); t != "void" {
				return t
			}
		}
	}
	return ""
}

// defines reports whether code around d, in n, defines a name that d mentions.
func (s *slice) defines(n, d int32) bool {
	for ; n < d; n++ {
		if s.contains(n, d) && slices.ContainsFunc(s.namesOf(n), func(name string) bool { return s.mentions(d, name) }) {
			return true
		}
	}
	return false
}

// mentions reports whether a node has a token with this text.
func (s *slice) mentions(n int32, name string) bool {
	tokens := s.tree.Tokens[s.tree.Nodes[n].First:s.tree.Nodes[n].Last]
	return slices.ContainsFunc(tokens, func(t parse.Token) bool { return string(s.tree.Source[t.Start:t.End]) == name })
}

// inBrackets reports whether a node is a member of a list in brackets.
func (s *slice) inBrackets(n int32) bool {
	p := s.tree.Nodes[n].Parent
	return strings.IndexAny(s.text(p), "([{<") == 0 && s.tree.Nodes[n].First > s.tree.Nodes[p].First
}

// path returns the nodes below n with a token, from the outermost.
func (s *slice) path(n int32, token int) (path []int32) {
	for {
		children := s.at.base.Children(n)
		i := slices.IndexFunc(children, func(d int32) bool { return s.has(d, token) })
		if i < 0 {
			return path
		}
		n = children[i]
		path = append(path, n)
	}
}

func (h *explorer) has(n int32, token int) bool {
	return int(h.tree.Nodes[n].First) <= token && token < int(h.tree.Nodes[n].Last)
}

func (h *explorer) contains(n, d int32) bool { return n <= d && d < h.tree.Nodes[n].Next }

// text returns the first token of a node, or "" if n is negative.
func (h *explorer) text(n int32) string {
	if n < 0 {
		return ""
	}
	return string(h.base.TextOf(n))
}
