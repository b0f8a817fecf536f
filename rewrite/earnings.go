package rewrite

import (
	"cmp"
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
// tests are taken for granted: as usual for the family, times how all families fare in this
// run against what is usual. So where nothing pays in a file, all are given up soon, and
// where one pays it has its turn first.
type earnings struct {
	won, expected float64   // of all families: what was interesting, and what usually is
	learned       []learned // of families, by name
	failed        *failure  // in this sweep
	before        map[uint64]int
}

// A record is what became of questions.
type record struct{ asked, won float64 }

// Learned is the record of a family.
type learned struct {
	family string
	record
}

// A failure is a change that was not interesting, and those before it.
type failure struct {
	key  uint64
	last *failure
}

const (
	// usually is the part of the changes of a family that is interesting, if it does not say.
	usually = 0.15
	// trust is how many questions that counts for, and trustAll how many changes that were
	// as interesting as usual.
	trust, trustAll = 3, 1
)

// chance returns how likely a change of a family is to be interesting. One that failed
// before is a quarter as likely.
func (e earnings) chance(f Family, key uint64) float64 {
	mean := f.usually() * (e.won + trustAll) / (e.expected + trustAll)
	var own record
	if i, ok := e.find(f.Name); ok {
		own = e.learned[i].record
	}
	chance := (own.won + mean*trust) / (own.asked + trust)
	for range e.before[key] {
		chance /= 4
	}
	return chance
}

func (f Family) usually() float64 { return cmp.Or(f.Usually, usually) }

func (e earnings) find(name string) (int, bool) {
	return slices.BinarySearchFunc(e.learned, name, func(l learned, name string) int {
		return cmp.Compare(l.family, name)
	})
}

// failedBefore reports whether a change was asked about in an earlier sweep, in vain.
func (e earnings) failedBefore(key uint64) bool { return e.before[key] > 0 }

// told returns what is known after an answer.
func (e earnings) told(f Family, key uint64, interesting bool) earnings {
	won := 0.0
	if interesting {
		won = 1
	} else {
		e.failed = &failure{key, e.failed}
	}
	e.won += won
	e.expected += f.usually()
	e.learned = slices.Clone(e.learned)
	i, ok := e.find(f.Name)
	if !ok {
		e.learned = slices.Insert(e.learned, i, learned{family: f.Name})
	}
	e.learned[i].asked++
	e.learned[i].won += won
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
