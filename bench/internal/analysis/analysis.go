// Package analysis finds out what the papers ask of a run beside its size and time:
// which tests were about what, and what came of them.
package analysis

import (
	"whittle"
	"whittle/algo"
)

// A Run is what the papers ask of one run.
type Run struct {
	Asked    Asked    `json:"asked"`
	Deletion Deletion `json:"deletion"`
	Queries  Queries  `json:"queries"`
	Minimal  Minimal  `json:"one_minimality"`
}

// Asked is what the tests were about.
type Asked struct {
	Lists        int `json:"lists"` // which parts of lists are needed
	Replacements int `json:"replacements"`
	Other        int `json:"other"`
}

// An Analyst looks at the decisions of a run.
type Analyst struct {
	found  Run
	lists  map[*algo.List]*calls
	order  []*algo.List
	before algo.Algorithm // that has Each behind it
}

// calls is one call of a list algorithm, as far as it has come.
type calls struct {
	kept  []int // nil as long as nothing was removed
	tried map[uint64]bool
	phase phase
}

// New returns the analyst of a run. Before is the algorithm that has [algo.Each]
// behind it, nil if there is none.
func New(before algo.Algorithm) *Analyst {
	return &Analyst{lists: map[*algo.List]*calls{}, before: before}
}

// Decided takes note of a decision.
func (a *Analyst) Decided(d whittle.Decision) {
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
		if a.before != nil {
			c.phase.step = a.before(q.List.Weights)
		}
		a.lists[q.List] = c
		a.order = append(a.order, q.List)
	}
	first := len(c.tried) == 0
	a.found.Queries.add(c, q, d.Answer, first)
	if a.before != nil {
		c.phase.answer(q.Kept, d.Outcome, first)
	}
	if d.Outcome == algo.Interesting {
		c.kept = q.Kept
	}
}

func (a *Analyst) count(n *int, d whittle.Decision) {
	if !d.Cached {
		*n++
	}
}

// Finish sums up.
func (a *Analyst) Finish() Run {
	for _, l := range a.order {
		c := a.lists[l]
		a.found.Deletion.add(l.Weights, c.kept)
		if a.before != nil {
			a.found.Minimal.add(c.phase.gone)
		}
	}
	a.found.Deletion.mean()
	return a.found
}
