package deps

import (
	"slices"
	"strings"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

const (
	stubKind        = "stubs"
	mostStubRepairs = 16 // in a row: all errors of a compiler, for each crate of a project
)

// searchStubs asks for the file without its stubs, which are functions that do not run (pass.Idle), and without the
// implementations of traits that have no other functions. Errors restore what is mentioned.
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
