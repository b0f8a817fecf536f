package main

import (
	"whittle"
	"whittle/algo"
)

// analysis is what the papers ask of one run beside its size and time.
type analysis struct {
	Asked    asked    `json:"asked"`
	Deletion deletion `json:"deletion"`
	Queries  queries  `json:"queries"`
	Minimal  minimal  `json:"one_minimality"`
}

// asked is what the tests were about.
type asked struct {
	Lists        int `json:"lists"` // which parts of lists are needed
	Replacements int `json:"replacements"`
	Other        int `json:"other"`
}

// An analyst looks at the decisions of a run.
type analyst struct {
	found  analysis
	lists  map[*algo.List]*calls
	order  []*algo.List
	single bool // an algorithm with Each behind it
	search func(weights []int) *algo.Step[[]int]
}

// calls is one call of a list algorithm, as far as it has come.
type calls struct {
	kept  []int // nil as long as nothing was removed
	tried map[uint64]bool
	phase phase
}

func newAnalyst(s spec) *analyst {
	a := &analyst{lists: map[*algo.List]*calls{}}
	a.search, a.single = firstPart(s)
	return a
}

func (a *analyst) decided(d whittle.Decision) {
	q := d.About
	switch {
	case q == nil || q.List.Mode == algo.Single:
		a.count(&a.found.Asked.Other, d)
		return
	case q.List.Mode == algo.Choices:
		a.count(&a.found.Asked.Replacements, d)
		return
	}
	a.count(&a.found.Asked.Lists, d)
	c := a.lists[q.List]
	if c == nil {
		c = &calls{tried: map[uint64]bool{}}
		if a.single {
			c.phase.step = a.search(q.List.Weights)
		}
		a.lists[q.List] = c
		a.order = append(a.order, q.List)
	}
	first := len(c.tried) == 0
	a.found.Queries.add(c, q, d.Answer, first)
	if a.single {
		c.phase.answer(q.Kept, d.Outcome, first)
	}
	if d.Outcome == algo.Interesting {
		c.kept = q.Kept
	}
}

func (a *analyst) count(n *int, d whittle.Decision) {
	if !d.Cached {
		*n++
	}
}

// finish sums up.
func (a *analyst) finish() analysis {
	for _, l := range a.order {
		c := a.lists[l]
		a.found.Deletion.add(l.Weights, c.kept)
		if a.single {
			a.found.Minimal.add(c.phase.gone)
		}
	}
	a.found.Deletion.mean()
	return a.found
}
