// Package deps contains a pass over definitions by their dependency graph.
package deps

import (
	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Definitions is a pass over one list of all definitions of the file: functions, types, fields and so on, at any depth.
// A candidate keeps each kept definition together with all that it mentions. If all definitions are mentioned
// somewhere, hardly any can be removed alone. But few are required, and they are found like a few items of a list.
//
//	a   b(a)   c   d(b)   e(c d)   f(e)     in brackets the mentions; d is required
//	- test of d alone -
//	a   b      .   d      .        .        a and b stay, for d needs them
//
// Defined and mentioned names are guessed from the field names of grammars. A wrong guess costs tests.
func Definitions() pass.Pass {
	return pass.Pass{Name: "definitions", Search: then(bodiesFirst)}
}

// Slices asks only the first questions of [Definitions]: for slices around the place of the failure.
func Slices() pass.Pass {
	end := func(*explorer, progress) *pass.Step { return nil }
	return pass.Pass{Name: "surroundings", When: pass.First, Search: then(end)}
}

// bodiesFirst empties functions of a large file, and then searches the roots. The list of roots empties them, too, but
// only once it has become slow. Small files take fewer questions without. Bodies that are hurried get another chance.
func bodiesFirst(h *explorer, t progress) *pass.Step {
	if t.base.Weight() < manyTokens {
		return h.searchRoots(t)
	}
	return h.searchBodies(t, pace{hurried: true}, func(t progress) *pass.Step {
		t.full = false
		return h.searchRoots(t)
	})
}

const manyTokens = 40_000

const fewest = 8

// then returns a search for slices, and then of the roots.
func then(roots func(*explorer, progress) *pass.Step) func(*parse.Tree, pass.Gate, pass.Plan) *pass.Step {
	return func(tree *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		base := parse.Whole(tree)
		g := read(base)
		if g == nil || len(g.units) < fewest {
			return nil
		}
		h := &explorer{reader: g, gate: gate, plan: plan}
		t := progress{base: base, roots: h.all(), passed: make([]bool, len(g.units))}
		t.learned = experience{repairs: plan.Repairs}.withShown(newVictim(h, base, base), plan.Clues)
		_, probed := h.spent(pass.ProbedKind)
		bodies, emptied := h.spent(bodyKind)
		t.full = probed > 0 || bodies > max(2*patience, 6*emptied)
		otherwise := func(t progress) *pass.Step { return roots(h, t) }
		if stubs, gone := h.spent(stubKind); stubs > mostStubRepairs*(2+gone) {
			return h.searchSlices(t, otherwise)
		}
		return h.searchSlices(t, func(t progress) *pass.Step { return h.searchStubs(t, otherwise) })
	}
}

// spent returns the questions about a kind of list so far, and their successes.
func (h *explorer) spent(kind string) (asked, accepted int) {
	if h.plan.Spent != nil {
		asked, accepted, _ = h.plan.Spent(kind)
	}
	return asked, accepted
}

// all returns the units from the end: uses follow definitions.
func (h *explorer) all() []int32 {
	all := make([]int32, len(h.units))
	for i := range all {
		all[i] = int32(len(all) - 1 - i)
	}
	return all
}

type explorer struct {
	*reader
	gate pass.Gate
	plan pass.Plan
}

type progress struct {
	base    *parse.Candidate
	roots   []int32 // in question, from the end of the file
	needed  []int32 // not removable alone
	learned experience
	passed  []bool // visited functions
	open    []part // parts of functions to visit next
	pace    pace
	full    bool // no function can be emptied
}

// searchRoots searches the roots, first for the required ones without the others. Then, or when it becomes slow, it
// visits the required functions.
func (h *explorer) searchRoots(t progress) *pass.Step {
	if 0 < len(t.needed) && len(t.needed) < len(t.roots) {
		only := t
		only.roots, t.needed = t.needed, nil
		c := h.filled(t.base, h.keep(t.base, only.roots, t.learned.needs))
		if !h.gate.Allows(t.base, c) {
			return h.searchRoots(t)
		}
		return &pass.Step{Candidate: c, Next: func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting {
				only.base = c
				return h.searchRoots(only)
			}
			return h.searchRoots(t)
		}}
	}
	own, weights := h.weights(t.base), make([]int, len(t.roots))
	for i, u := range t.roots {
		weights[i] = own[u]
	}
	s := search{
		explorer: h,
		list: algo.List{
			Mode: algo.Items, Weights: weights, Whole: t.base.Weight(), Closed: true, Known: h.known(t.base, h.nodes(t.roots)),
		},
		edit: func(kept []int, learned needs) *parse.Candidate {
			return h.filled(t.base, h.keep(t.base, choose(t.roots, kept), learned))
		},
		slow: func(at state, goOn func() *pass.Step) *pass.Step {
			next := t
			next.learned = at.learned
			next.base, next.roots, next.needed = at.base, choose(t.roots, at.left), choose(t.roots, at.needed)
			return h.searchBodies(next, pace{}, func(t progress) *pass.Step { return h.searchFunctions(t, goOn) })
		},
		then: func(at state) *pass.Step {
			next := t
			next.learned = at.learned
			next.base, next.roots = at.base, choose(t.roots, at.left)
			next.needed = next.roots
			return h.searchBodies(next, pace{}, func(t progress) *pass.Step {
				inside := t
				inside.needed = nil
				return h.searchFunctions(inside, func() *pass.Step { return h.searchLinks(t) })
			})
		},
	}
	return s.begin(t, pace{})
}

func (h *explorer) nodes(units []int32) []int32 {
	nodes := make([]int32, len(units))
	for i, u := range units {
		nodes[i] = h.units[u].node
	}
	return nodes
}

func choose[T any](all []T, kept []int) []T {
	chosen := make([]T, len(kept))
	for i, k := range kept {
		chosen[i] = all[k]
	}
	return chosen
}
