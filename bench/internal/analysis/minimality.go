package analysis

import (
	"slices"

	"whittle/algo"
)

// Minimal counts the calls of an algorithm whose result was not 1-minimal, and
// the single items that could go from these, as the CDD paper does in §IV-G.
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

// A phase follows a call of an algorithm with Each behind it, and tells the one
// from the other: a search is a pure function of the outcomes, so asking it again
// shows when it ended.
type phase struct {
	step *algo.Step[[]int] // of the algorithm alone
	gone int               // single items that went after it
}

// answer takes note of the outcome of the next candidate. first is whether it is
// the first of the list: an empty one is then asked before the search begins.
func (p *phase) answer(kept []int, o algo.Outcome, first bool) {
	if first && len(kept) == 0 {
		return
	}
	// What the search asked in between was not worth a test.
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
