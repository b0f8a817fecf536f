// Package hdd holds the level-by-level drivers: hierarchical delta debugging
// (Misherghi and Su, ICSE 2006) and its recursive variant (Kiss, Hodován and
// Gyimóthy, A-TEST 2018).
package hdd

import (
	"slices"

	"whittle/algo"
	"whittle/parse"
)

// Search is one pass of HDD: each level of the tree is minimised as one list,
// from the root down. A node that is removed leaves behind what the grammar
// requires in its place. Repeated until nothing changes (HDD*), with a 1-minimal
// algorithm, the result is 1-tree-minimal: no single node can be removed.
//
// Candidates may have more syntax errors than the input.
func Search(t *parse.Tree, algorithm algo.Algorithm) *algo.Step[*parse.Candidate] {
	return start(t, algorithm, func(base *candidate, lists [][]int32) [][]int32 {
		return [][]int32{children(base, lists...)}
	})
}

// Recursive is one pass of HDDr: the children of each node are minimised as a
// list, breadth first. It makes more and shorter lists than Search, to the same
// guarantee.
func Recursive(t *parse.Tree, algorithm algo.Algorithm) *algo.Step[*parse.Candidate] {
	return start(t, algorithm, func(base *candidate, lists [][]int32) [][]int32 {
		rest := slices.Clone(lists[1:])
		for _, n := range lists[0] {
			if !t.IsLeaf(n) && base.Live(n) {
				rest = append(rest, children(base, []int32{n}))
			}
		}
		return rest
	})
}

type (
	candidate = parse.Candidate
	job       = algo.Job[*parse.Candidate]
)

// driver minimises one list of nodes after the other. then gives the lists that
// wait when the first of them has been minimised.
type driver struct {
	algorithm algo.Algorithm
	then      func(base *candidate, lists [][]int32) [][]int32
}

func start(t *parse.Tree, algorithm algo.Algorithm, then func(*candidate, [][]int32) [][]int32) *algo.Step[*parse.Candidate] {
	d := &driver{algorithm, then}
	base := parse.Whole(t)
	return algo.Run(d.next(base, [][]int32{children(base, []int32{0})}))
}

// children gives the live children of the live nodes in the lists.
func children(base *candidate, lists ...[]int32) []int32 {
	var below []int32
	for _, list := range lists {
		for _, n := range list {
			below = append(below, base.Children(n)...)
		}
	}
	return below
}

// next gives the job for the first of the lists.
func (d *driver) next(base *candidate, lists [][]int32) *job {
	if len(lists) == 0 || len(lists[0]) == 0 && len(lists) == 1 {
		return nil
	}
	// pruned is base without any of the nodes; the items are those of which
	// less is left.
	pruned := base.Prune(lists[0]...)
	var items []int32
	var weights []int
	for _, n := range lists[0] {
		if w := base.WeightOf(n); pruned.WeightOf(n) < w {
			items, weights = append(items, n), append(weights, w)
		}
	}
	slices.Reverse(items) // what is used stands before what uses it
	slices.Reverse(weights)
	keep := func(kept []int) *candidate {
		gone := parse.Others(items, kept)
		slices.Reverse(gone)
		return base.Take(pruned, gone)
	}
	j := &job{
		Lift: func(kept []int) (*candidate, bool) { return keep(kept), true },
		Done: func(kept []int) *job {
			if kept == nil {
				return d.next(base, d.then(base, lists))
			}
			return d.next(keep(kept), d.then(keep(kept), lists))
		},
	}
	if len(items) > 0 {
		j.List = algo.EmptyFirst(d.algorithm(weights))
	}
	return j
}
