package wide

import (
	"maps"
	"math"

	"whittle/algo"
)

// A memory is a search's immutable experience.
type memory struct {
	tallies map[string]tally
	// suspect has each item's smallest failed group, by its own hash.
	suspect map[uint64]group
	groups  int // failed
	// failed has both hashes of failed choices.
	failed map[uint64]bool
	// alone counts, by own hash, how often items with their needs did not suffice.
	alone map[uint64]int
}

func newMemory() *memory {
	return &memory{
		tallies: map[string]tally{}, suspect: map[uint64]group{}, failed: map[uint64]bool{}, alone: map[uint64]int{},
	}
}

type group struct{ number, size int }

type tally struct{ asked, won float64 }

func (m *memory) chance(kind string) float64 {
	t := m.tallies[kind]
	return (t.won + 0.6) / (t.asked + 2)
}

// after returns the memory after outcomes.
func (m *memory) after(questions []question, outcomes []algo.Outcome) *memory {
	next := &memory{
		tallies: maps.Clone(m.tallies), suspect: maps.Clone(m.suspect), groups: m.groups,
		failed: maps.Clone(m.failed), alone: maps.Clone(m.alone),
	}
	for i, q := range questions {
		if q.about == nil {
			continue
		}
		t := next.tallies[q.kind]
		t.asked++
		if outcomes[i] == algo.Interesting {
			t.won++
		}
		next.tallies[q.kind] = t
		if outcomes[i] != algo.Interesting {
			next.fail(q)
		}
	}
	return next
}

func (m *memory) fail(q question) {
	l := q.about.List
	if l.Known == nil {
		return
	}
	switch gone := q.gone(); {
	case l.Mode == algo.Choices:
		m.failedAlone(l, q.about.Kept[0])
	case q.alone():
		for _, item := range q.about.Kept {
			own, _ := l.Known(item)
			m.alone[own]++
		}
	case len(gone) == 1:
		m.failedAlone(l, gone[0])
		fallthrough
	default:
		m.groups++
		for _, item := range gone {
			own, _ := l.Known(item)
			if old, is := m.suspect[own]; !is || len(gone) <= old.size {
				m.suspect[own] = group{m.groups, len(gone)}
			}
		}
	}
}

func (m *memory) failedAlone(l *algo.List, item int) {
	own, around := l.Known(item)
	m.failed[own], m.failed[around] = true, true
}

// sufficed returns a factor, by earlier failures, for the probability that items suffice alone.
func (m *memory) sufficed(q *algo.Question) float64 {
	failures := math.MaxInt
	for _, item := range q.Kept {
		own, _ := q.List.Known(item)
		failures = min(failures, m.alone[own])
	}
	return math.Pow(0.5, float64(failures))
}

func (m *memory) hasFailed(q *algo.Question) bool {
	if q == nil || q.List.Mode != algo.Choices || q.List.Known == nil {
		return false
	}
	own, _ := q.List.Known(q.Kept[0])
	return m.failed[own]
}
