package analysis

import (
	"slices"

	"whittle/algo"
)

// Minimal counts the calls of an algorithm with a result that was not 1-minimal, and the single
// items that could still be removed, as in §IV-G of the CDD paper.
type Minimal struct {
	Calls      int `json:"calls"`
	Violations int `json:"violations"`
	Items      int `json:"items"`
}

func (m *Minimal) add(gone int) {
	m.Calls++
	if gone > 0 {
		m.Violations++
		m.Items += gone
	}
}

// A phase follows a call of an algorithm that is followed by Each, and finds where the algorithm
// ends. A search is a pure function of the outcomes, so it can be replayed.
type phase struct {
	step *algo.Step[[]int] // the algorithm without Each
	gone int               // single items removed after it
}

// answer records the outcome of the next candidate. first means the first candidate of the list;
// drivers test the empty list before the search begins.
func (p *phase) answer(kept []int, o algo.Outcome, first bool) {
	if first && len(kept) == 0 {
		return
	}
	// The candidates in between were not tested.
	for !p.step.Ended() && !slices.Equal(p.step.Candidate, kept) {
		p.step = p.step.Next(algo.Unresolved)
	}
	switch {
	case !p.step.Ended():
		p.step = p.step.Next(o)
	case o == algo.Interesting:
		p.gone++
	}
}
