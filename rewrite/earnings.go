package rewrite

import (
	"bytes"
	"hash/fnv"
	"maps"
	"slices"

	"whittle/algo/rounds"
	"whittle/parse"
)

// Earnings are what a run has learned of its families. Like all that a search holds they
// never change.
//
// How likely a change is to be interesting is what its family has come to, of which a few
// tests are taken for granted: at first those of all families together. So where nothing
// pays in a file, all families are given up soon, and where one pays it has its turn first.
type earnings struct {
	all      record
	families []family // by name
	failed   *failure // in this sweep
	before   map[uint64]int
}

// A record is what became of questions.
type record struct{ asked, won float64 }

type family struct {
	name string
	record
}

// A failure is a change that was not interesting, and those before it.
type failure struct {
	key  uint64
	last *failure
}

const (
	// usual is the part of changes that is interesting, as far as nothing is known.
	usual = 0.15
	// trustAll and trust are how many questions that, and the record of all families, count
	// for.
	trustAll, trust = 6, 3
)

// chance returns how likely a change of a family is to be interesting. One that failed
// before is a quarter as likely.
func (e earnings) chance(name string, key uint64) float64 {
	mean := (e.all.won + usual*trustAll) / (e.all.asked + trustAll)
	var own record
	if i, ok := e.find(name); ok {
		own = e.families[i].record
	}
	chance := (own.won + mean*trust) / (own.asked + trust)
	for range e.before[key] {
		chance /= 4
	}
	return chance
}

func (e earnings) find(name string) (int, bool) {
	return slices.BinarySearchFunc(e.families, name, func(f family, name string) int {
		return bytes.Compare([]byte(f.name), []byte(name))
	})
}

// told returns what is known after an answer.
func (e earnings) told(name string, key uint64, interesting bool) earnings {
	won := 0.0
	if interesting {
		won = 1
	} else {
		e.failed = &failure{key, e.failed}
	}
	e.all.asked++
	e.all.won += won
	e.families = slices.Clone(e.families)
	i, ok := e.find(name)
	if !ok {
		e.families = slices.Insert(e.families, i, family{name: name})
	}
	e.families[i].asked++
	e.families[i].won += won
	return e
}

// remembered ends a sweep: what has failed in it has failed before.
func (e earnings) remembered() earnings {
	e.before = maps.Clone(e.before)
	if e.before == nil {
		e.before = map[uint64]int{}
	}
	for f := e.failed; f != nil; f = f.last {
		e.before[f.key]++
	}
	e.failed = nil
	return e
}

// keyOf returns what a change is known by when the file around it has become another:
// the text that it takes away and that which it puts there.
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

// A teller is a policy for lists that carries along what was earned, from one turn of the
// pass to the next.
type teller struct {
	rounds.Policy
	earned earnings
}

func (e earnings) with(p rounds.Policy) rounds.Policy {
	if t, ok := p.(teller); ok {
		p = t.Policy
	}
	return teller{p, e}
}

// earnedBefore returns the earnings that a policy carries.
func earnedBefore(p rounds.Policy) earnings {
	if t, ok := p.(teller); ok {
		return t.earned
	}
	return earnings{}
}

// Learn implements [rounds.Policy].
func (t teller) Learn(end any) rounds.Policy { return teller{t.Policy.Learn(end), t.earned} }

// Round implements [rounds.Policy].
func (t teller) Round(before, after int) rounds.Policy {
	if p := t.Policy.Round(before, after); p != nil {
		return teller{p, t.earned}
	}
	return nil
}
