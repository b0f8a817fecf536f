package isolate

import (
	"slices"

	"whittle/algo"
)

// Search is dd of Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input" (TSE 28(2), 2002), §5. Of n changes that lead from an
// uninteresting thing to an interesting one it finds a minimal difference: few changes
// that make what is uninteresting without them interesting. The chunks of the difference are added
// to the one and taken from the other:
//
//	without   with
//	........  abcdefgh   n=2   abcd....  uninteresting: the new without
//	abcd....  abcdefgh   n=2   abcdef..  interesting: the new with
//	abcd....  abcdef..   n=2   abcde...  unresolved
//	                           abcd.f..  unresolved: e and f make the difference
//
// Each step's candidate has the difference that is known by then; the last has
// it as its End. Nothing and all of the changes are taken to be uninteresting and
// interesting, and are never asked.
//
// Guarantee: 1-minimal; adding a single change of the difference to the one side
// or taking it from the other does not give a smaller one, for no test of that is
// resolved. One change is left if all tests are resolved.
//
// Cost: at most n²+3n tests; at most ⌈log₂ n⌉ if all are resolved.
//
// The paper ends after the first round of single changes in vain. We begin again with
// halves if they were last tried on a larger difference: changes that only go
// together may then be in the same half.
func Search(changes int) *algo.Step[Mix] {
	return halving{Difference: Difference{[]int{}, algo.All(changes)}}.search(2)
}

// A Difference is between the changes made in what is uninteresting and those
// made in what is interesting, which has the former. Both are ascending.
type Difference struct{ Without, With []int }

// size is the number of changes that make the difference.
func (d Difference) size() int { return len(d.With) - len(d.Without) }

// A Mix is a candidate of a [Search]: what has some of the changes made.
type Mix struct {
	Difference       // what the search has come to
	Made       []int // ascending
}

// halving is where a search stands.
type halving struct {
	Difference
	halved int // changes there were when halves were last tried
}

// search goes over the difference in n chunks.
func (d halving) search(n int) *algo.Step[Mix] {
	delta := algo.Without(d.With, d.Without)
	if len(delta) < 2 {
		return &algo.Step[Mix]{End: d.Difference}
	}
	if n == 2 {
		d.halved = len(delta)
	}
	return d.add(algo.Cut(delta, n), 0, none)
}

// none is the number of no chunk.
const none = -1

// add tests what is uninteresting with chunk i, then with those after it. One of
// the chunks before, moved, gave something uninteresting.
func (d halving) add(chunks [][]int, i, moved int) *algo.Step[Mix] {
	switch {
	case i < len(chunks):
	case len(chunks) == 2: // each is what is left without the other
		return d.refine(chunks)
	default:
		return d.remove(chunks, 0, moved, none)
	}
	more := union(d.Without, chunks[i])
	return d.ask(more, func(o algo.Outcome) *algo.Step[Mix] {
		switch {
		case o == algo.Interesting:
			return d.between(d.Without, more).search(2)
		case o == algo.Uninteresting && len(chunks) == 2:
			return d.between(more, d.With).search(2)
		case o == algo.Uninteresting && moved == none:
			return d.add(chunks, i+1, i)
		}
		return d.add(chunks, i+1, moved)
	})
}

// remove tests what is interesting without chunk i, then without those after it.
// One of the chunks before, needless, left something interesting.
func (d halving) remove(chunks [][]int, i, moved, needless int) *algo.Step[Mix] {
	if i == len(chunks) {
		n := max(len(chunks)-1, 2)
		switch {
		case moved != none:
			return d.between(union(d.Without, chunks[moved]), d.With).search(n)
		case needless != none:
			return d.between(d.Without, algo.Without(d.With, chunks[needless])).search(n)
		}
		return d.refine(chunks)
	}
	less := algo.Without(d.With, chunks[i])
	return d.ask(less, func(o algo.Outcome) *algo.Step[Mix] {
		switch {
		case o == algo.Uninteresting:
			return d.between(less, d.With).search(2)
		case o == algo.Interesting && needless == none:
			return d.remove(chunks, i+1, moved, i)
		}
		return d.remove(chunks, i+1, moved, needless)
	})
}

// refine goes on with finer chunks after a round in vain.
func (d halving) refine(chunks [][]int) *algo.Step[Mix] {
	items := d.size()
	switch {
	case len(chunks) < items:
		return d.search(min(2*len(chunks), items))
	case items < d.halved:
		return d.search(2)
	}
	return &algo.Step[Mix]{End: d.Difference}
}

// between is the search with these sides.
func (d halving) between(without, with []int) halving {
	d.Difference = Difference{without, with}
	return d
}

func (d halving) ask(made []int, next func(algo.Outcome) *algo.Step[Mix]) *algo.Step[Mix] {
	return &algo.Step[Mix]{Candidate: Mix{d.Difference, made}, Next: next}
}

// union returns the items of two lists that have none in common, ascending.
func union(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return both
}
