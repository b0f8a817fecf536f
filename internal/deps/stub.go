package deps

import (
	"slices"
	"strings"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// stubbed returns a candidate with a stub in each body that it empties, and for the last statement of the functions in
// roots, if they return a value. On request, functions that are constexpr return a value that is not constant, since
// clang requires a return statement there.
func (h *explorer) stubbed(base, c *parse.Candidate, roots []int32, constants bool) *parse.Candidate {
	var edits []parse.Edit
	for i := range h.units {
		body := h.units[i].body
		if body < 0 || !c.Live(body) || !h.returns(h.tree.Nodes[body].Parent) {
			continue
		}
		items := h.content(base, body)
		if len(items) == 0 && constants { // base has a stub
			items = h.content(h.base, body)
		}
		var before []parse.Piece
		if slices.Contains(roots, int32(i)) {
			if slices.ContainsFunc(items, h.tree.IsLeaf) { // a line break ends a statement
				before = []parse.Piece{parse.Literal("", ""), parse.Literal("\n", "")}
			}
			items = slices.DeleteFunc(items, h.tree.IsLeaf)
			if items = items[max(len(items)-1, 0):]; len(items) > 0 && c.Live(items[0]) {
				continue
			}
		} else if len(h.content(c, body)) > 0 {
			continue
		}
		stub := h.plan.StubAt(h.tree, h.units[i].node)
		if stub == "" || len(items) == 0 {
			continue
		}
		value := []parse.Piece{parse.Literal(" ", stub)}
		if constants && h.isConstant(h.tree.Nodes[body].Parent) {
			value = h.noConstant(h.tree.Nodes[body].Parent, value)
		}
		edits = append(edits, h.tree.Replace(items, append(before, value...)...))
	}
	return c.Apply(edits...)
}

// isConstant reports whether a function is constexpr.
func (h *explorer) isConstant(f int32) bool {
	return slices.ContainsFunc(h.base.Children(f), func(d int32) bool { return h.tree.Is(d, "constexpr") })
}

// noConstant returns a statement such as return (T&&)*(T*)0; for a function of type T, T& or T&&, otherwise the stub.
func (h *explorer) noConstant(f int32, stub []parse.Piece) []parse.Piece {
	d, kind := h.tree.Child(f, "type"), h.tree.Child(f, "declarator")
	if d < 0 && kind >= 0 { // operator T()
		d = h.tree.Child(kind, "type")
	}
	if d < 0 || h.text(d) == "auto" || string(h.base.TextOf(d)) == "friend" || // read as a type after constexpr
		string(h.base.TextOf(h.tree.Nodes[d].Next-1)) == "operator" { // A::operator T()
		return stub
	}
	cast := "&& )"
	switch before := string(h.base.TextOf(kind)); {
	case before == "*":
		return words("return 0 ;")
	case before == "&":
		cast = "& )"
	}
	return slices.Concat(words("return ("), []parse.Piece{parse.Nodes(d)}, words(cast+" * ("),
		[]parse.Piece{parse.Nodes(d)}, words("* ) 0 ;"))
}

// words returns the words of a text.
func words(text string) (all []parse.Piece) {
	for _, w := range strings.Fields(text) {
		all = append(all, parse.Literal(" ", w))
	}
	return all
}

// returns reports whether a function returns a value.
func (h *explorer) returns(n int32) bool {
	for _, field := range []string{"type", "return_type", "result"} {
		if d := h.tree.Child(n, field); d >= 0 {
			return !h.tree.IsLeaf(d) || string(h.base.TextOf(d)) != "void"
		}
	}
	d := h.tree.Child(n, "declarator")
	return d >= 0 && h.tree.Child(d, "type") >= 0 // operator int()
}

// filled returns a candidate with a stub in each definition whose body is indented and without code. Its comments go.
func (h *explorer) filled(base, c *parse.Candidate) *parse.Candidate {
	var edits []parse.Edit
	isCode := func(n int32) bool { return !h.tree.Nodes[n].Comment }
	for i := range h.units {
		n, body := h.units[i].node, h.units[i].body
		if !h.tree.IsIndented(int(h.tree.Nodes[n].First)) || !c.Live(n) || h.plan.StubAt(h.tree, n) == "" {
			continue
		}
		if part := h.onlyPart(n); part >= 0 && h.essence[part] {
			n = part
		}
		if body < 0 {
			body = h.tree.Child(n, "body")
		}
		if body < 0 || !base.Live(body) || slices.ContainsFunc(c.Children(body), isCode) {
			continue
		}
		before := int32(-1)
		for _, d := range base.Children(h.tree.Nodes[body].Parent) {
			if d == body && before >= 0 {
				stub := parse.Literal(" ", h.plan.StubAt(h.tree, n))
				edits = append(edits, h.tree.Replace([]int32{before, body}, parse.Nodes(before), stub))
			}
			if c.Live(d) && isCode(d) {
				before = d
			}
		}
	}
	return c.Apply(edits...)
}

const (
	stubKind        = "stubs"
	mostStubRepairs = 16 // in a row: all errors of a compiler, for each crate of a project
)

// searchStubs asks for the file without its stubs, which are functions that do not run (pass.Idle), and without the
// implementations of traits that have no other functions. Errors restore mentioned ones.
func (h *explorer) searchStubs(t progress, otherwise func(progress) *pass.Step) *pass.Step {
	var stubs, nodes []int32
	var weights []int
	for i := range h.units {
		u := &h.units[i]
		isMember := h.ofTrait(u) || u.parent >= 0 && h.tree.Is(h.units[u.parent].node, "trait_item")
		if h.isStub(u) && !isMember || h.implementsStubs(int32(i)) {
			stubs, nodes = append(stubs, int32(i)), append(nodes, u.node)
			weights = append(weights, t.base.WeightOf(u.node))
		}
	}
	if len(stubs) < fewest {
		return otherwise(t)
	}
	s := search{
		explorer: h, nodes: nodes, most: mostStubRepairs,
		list: algo.List{Kind: stubKind, Mode: algo.Items, Weights: weights, Whole: t.base.Weight()},
		edit: func(kept []int, learned needs) *parse.Candidate {
			var gone []int32
			for _, u := range parse.Others(stubs, kept) {
				if !learned.have(u) && !slices.ContainsFunc(h.units[u].members, learned.have) {
					gone = append(gone, h.units[u].node)
				}
			}
			return t.base.DropFiles(h.withLeads(gone)...)
		},
		then: func(at state) *pass.Step {
			next := t
			next.base, next.learned = at.base, at.learned
			return otherwise(next)
		},
	}
	none := &algo.Step[[]int]{Next: func(algo.Outcome) *algo.Step[[]int] { return nil }}
	return s.step(none, state{base: t.base, learned: t.learned, left: algo.All(len(stubs))})
}

// implementsStubs reports whether a unit implements a trait by stubs only.
func (h *explorer) implementsStubs(i int32) bool {
	stubs := 0
	for _, m := range h.units[i].members {
		if h.isStub(&h.units[m]) {
			stubs++
		} else if h.units[m].body >= 0 {
			return false
		}
	}
	return stubs > 0 && h.isTrait(i)
}

// isStub reports whether the body of a function is the stub of its language.
func (h *explorer) isStub(u *unit) bool {
	if u.body < 0 || !h.isBraced(u.body) {
		return false
	}
	tokens := h.tree.Tokens[h.tree.Nodes[u.body].First:h.tree.Nodes[u.body].Last]
	text := string(h.tree.Source[tokens[0].Start:tokens[len(tokens)-1].End])
	stub := h.plan.StubAt(h.tree, u.body)
	return stub != "" && strings.TrimSpace(text[1:len(text)-1]) == stub
}
