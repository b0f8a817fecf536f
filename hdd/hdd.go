// Package hdd contains the level-by-level drivers: hierarchical delta debugging (Misherghi and
// Su, ICSE 2006) and its recursive variant (Kiss, Hodován and Gyimóthy, A-TEST 2018).
package hdd

import (
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Levels is the pass of HDD: it minimises each level of the tree as one list, from the root
// down. A removed node leaves the minimal text that the grammar requires there.
//
// Guarantee: repeated until nothing changes (HDD*) with a 1-minimal algorithm, the result is
// 1-tree-minimal: no single node can be removed.
//
// Candidates may have more syntax errors than the input if the gate allows them.
func Levels() pass.Pass {
	return pass.Pass{Name: "hdd", Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		return start(t, gate, plan, true, func(base *candidate, level []int32) [][]int32 {
			return [][]int32{children(base, level...)}
		})
	}}
}

// Recursive is the pass of HDDr: it minimises the children of each node as a list, breadth
// first. It has more and shorter lists than Levels, and the same guarantee.
func Recursive() pass.Pass {
	return pass.Pass{Name: "hddr", Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		return start(t, gate, plan, false, func(base *candidate, siblings []int32) [][]int32 {
			var below [][]int32
			for _, n := range siblings {
				if !t.IsLeaf(n) && base.Live(n) {
					below = append(below, children(base, n))
				}
			}
			return below
		})
	}}
}

type (
	candidate = parse.Candidate
	task      = rounds.Task[*parse.Candidate, [][]int32]
)

// start minimises one list of nodes after the other; level means that each list is a whole
// level of the tree. below returns the lists that follow a list.
func start(t *parse.Tree, gate pass.Gate, plan pass.Plan, level bool,
	below func(base *candidate, list []int32) [][]int32,
) *pass.Step {
	d := rounds.Driver[*parse.Candidate, [][]int32]{
		Plan:   plan.Plan,
		Allows: gate.Allows,
		Next: func(base *candidate, lists [][]int32) (*task, [][]int32) {
			if len(lists) == 0 {
				return nil, nil
			}
			return minimise(base, lists[0], level, below), lists[1:]
		},
	}
	base := parse.Whole(t)
	return d.Search(base, [][]int32{children(base, 0)})
}

func children(base *candidate, nodes ...int32) []int32 {
	var below []int32
	for _, n := range nodes {
		below = append(below, base.Children(n)...)
	}
	return below
}

func minimise(base *candidate, list []int32, level bool, below func(*candidate, []int32) [][]int32) *task {
	// pruned is base without all nodes of the list. Nodes that lose weight in it are the items.
	pruned := base.Prune(list...)
	var items []int32
	var weights []int
	for _, n := range list {
		if w := base.WeightOf(n); pruned.WeightOf(n) < w {
			items, weights = append(items, n), append(weights, w)
		}
	}
	slices.Reverse(items) // uses come after definitions, so try them first
	slices.Reverse(weights)
	return &task{
		List: algo.List{Weights: weights, Whole: base.Weight(), Kind: "nodes", Level: level},
		Edit: func(base *candidate, kept []int) *candidate {
			gone := parse.Others(items, kept)
			slices.Reverse(gone)
			return base.Take(pruned, gone)
		},
		Done: func(base *candidate, _ []int, lists [][]int32) (*task, [][]int32) {
			if len(list) == 0 {
				return nil, lists
			}
			return nil, append(slices.Clip(lists), below(base, list)...)
		},
	}
}
