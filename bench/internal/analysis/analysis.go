// Package analysis computes the figures of a run that the papers report in addition to size and
// time.
package analysis

import (
	"whittle"
	"whittle/algo"
)

// A Run holds the figures of one run.
type Run struct {
	Asked    Asked    `json:"asked"`
	Deletion Deletion `json:"deletion"`
	Queries  Queries  `json:"queries"`
	Minimal  Minimal  `json:"one_minimality"`
}

// Asked counts the tests by the subject of their question.
type Asked struct {
	Lists        int `json:"lists"` // elements of lists
	Replacements int `json:"replacements"`
	Other        int `json:"other"`
}

// A Recorder collects figures from the decisions of a run.
type Recorder struct {
	found  Run
	lists  map[*algo.List]*call
	order  []*algo.List
	before algo.Algorithm // followed by [algo.Each]; or nil
}

// call is the state of one call of a list algorithm.
type call struct {
	kept  []int // nil until something is removed
	tried map[uint64]bool
	phase phase
}

// New returns the recorder of a run. before is the algorithm that [algo.Each] follows,
// or nil.
func New(before algo.Algorithm) *Recorder {
	return &Recorder{lists: map[*algo.List]*call{}, before: before}
}

// Add records a decision.
func (a *Recorder) Add(d whittle.Decision) {
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
		c = &call{tried: map[uint64]bool{}}
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

func (a *Recorder) count(n *int, d whittle.Decision) {
	if !d.Cached {
		*n++
	}
}

// Finish returns the figures.
func (a *Recorder) Finish() Run {
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
