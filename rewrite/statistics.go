package rewrite

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"

	"whittle/algo/rounds"
	"whittle/parse"
)

// statistics record how often changes were interesting. They are immutable.
//
// The chance of a change is the success rate of its family. Its prior is the usual rate, times the success of all
// families in this run relative to their usual rates. So all families are given up soon if none succeeds.
type statistics struct {
	won, expected float64           // of all families; expected by the usual rates
	families      map[string]record // by name
	failed        []uint64          // keys of failures in this sweep
	before        map[uint64]int    // failures in earlier sweeps, by key
}

type record struct{ asked, won float64 }

const (
	// usualRate is for families without SuccessRate.
	usualRate = 0.15
	// The weights of the prior in tests, and of the usual success of all families.
	priorTests, priorAll = 3, 1
)

// chance is divided by four for each earlier failure of the same change.
func (s statistics) chance(f Family, key uint64) float64 {
	mean := f.usualRate() * (s.won + priorAll) / (s.expected + priorAll)
	r := s.families[f.Name]
	chance := (r.won + mean*priorTests) / (r.asked + priorTests)
	for range s.before[key] {
		chance /= 4
	}
	return chance
}

func (f Family) usualRate() float64 { return cmp.Or(f.SuccessRate, usualRate) }

func (s statistics) with(f Family, key uint64, interesting bool) statistics {
	r := s.families[f.Name]
	r.asked++
	if interesting {
		r.won++
		s.won++
	} else {
		s.failed = append(slices.Clip(s.failed), key)
	}
	s.expected += f.usualRate()
	s.families = maps.Collect(maps.All(s.families)) // never nil
	s.families[f.Name] = r
	return s
}

func (s statistics) endSweep() statistics {
	s.before = maps.Collect(maps.All(s.before))
	for _, key := range s.failed {
		s.before[key]++
	}
	s.failed = nil
	return s
}

// keyOf identifies a change by the text before and after it, so that later versions of a file recognise it.
func keyOf(base, c *parse.Candidate) uint64 {
	a, b := base.Render(), c.Render()
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	h := fnv.New64a()
	h.Write(a)
	h.Write([]byte{0})
	h.Write(b)
	return h.Sum64()
}

// policy carries statistics from one run of the pass to the next.
type policy struct {
	rounds.Policy
	statistics statistics
}

func policyOf(p rounds.Policy) policy {
	if own, ok := p.(policy); ok {
		return own
	}
	return policy{Policy: p}
}

// Learn implements [rounds.Policy].
func (p policy) Learn(end any) rounds.Policy { return policy{p.Policy.Learn(end), p.statistics} }

// Round implements [rounds.Policy].
func (p policy) Round(before, after int) rounds.Policy {
	if next := p.Policy.Round(before, after); next != nil {
		return policy{next, p.statistics}
	}
	return nil
}
