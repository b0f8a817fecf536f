package deps

import (
	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// bodyKind is the kind of the list of bodies.
const bodyKind = "bodies"

// leastBody is the least weight of a body that is worth emptying.
const leastBody = 8

// searchBodies tries to empty functions, in one list, while most of the file is left. A result becomes the stub of the
// language. If that removes 1/share of the file, the roots are searched again, as bodies mention most definitions; else
// it continues with otherwise.
// The list ends when c is slow. Emptied functions that run fail, so the list is left out after probes, and if it seldom
// succeeded in earlier rounds.
func (h *explorer) searchBodies(t progress, c pace, otherwise func(progress) *pass.Step) *pass.Step {
	if t.full || 2*t.base.Weight() < parse.Whole(h.tree).Weight() {
		return otherwise(t)
	}
	var bodies []int32
	var weights []int
	for _, u := range h.all() {
		body, weight := h.units[u].body, 0
		if body < 0 || !t.base.Live(body) || h.plan.StubAt(h.tree, body) == "" || h.isDeduced(body) {
			continue
		}
		for _, n := range h.content(t.base, body) {
			weight += t.base.WeightOf(n)
		}
		if weight >= leastBody {
			bodies, weights = append(bodies, body), append(weights, weight)
		}
	}
	if len(bodies) < fewest {
		return otherwise(t)
	}
	s := search{
		explorer: h, nodes: bodies,
		list: algo.List{
			Kind: bodyKind, Mode: algo.Items, Weights: weights, Whole: t.base.Weight(), Known: h.known(t.base, bodies),
		},
		edit: func(kept []int, _ needs) *parse.Candidate {
			var gone []int32
			for _, body := range parse.Others(bodies, kept) {
				gone = append(gone, h.content(t.base, body)...)
			}
			return h.filled(t.base, h.stubbed(t.base, t.base.Drop(gone...), nil, false))
		},
		then: func(at state) *pass.Step {
			next := t
			removed := t.base.Weight() - at.base.Weight()
			next.base, next.learned, next.full = at.base, at.learned, removed*share < t.base.Weight()
			if next.full {
				return otherwise(next)
			}
			next.roots, next.needed = h.all(), nil
			return h.searchRoots(next)
		},
	}
	s.slow = func(at state, _ func() *pass.Step) *pass.Step { return s.then(at) }
	return s.begin(t, c)
}

// isDeduced reports whether the type of a function follows from its body, as for auto f() { } and fn f() -> impl T { }.
func (h *explorer) isDeduced(body int32) bool {
	f := h.tree.Nodes[body].Parent
	return h.spans(h.tree.Child(f, "return_type"), "abstract_type") ||
		h.spans(h.tree.Child(f, "type"), "auto") && !h.spans(h.tree.Child(f, "declarator"), "trailing_return_type")
}

// spans reports whether a node has a node of a kind.
func (h *explorer) spans(n int32, kind string) bool {
	for d := n; d >= 0 && d < h.tree.Nodes[n].Next; d++ {
		if h.tree.Is(d, kind) {
			return true
		}
	}
	return false
}
