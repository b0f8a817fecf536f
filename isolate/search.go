package isolate

import (
	"slices"

	"whittle/algo"
)

// Search is the algorithm dd of Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input" (TSE 28(2), 2002), §5. Given n changes from an uninteresting version to
// an interesting one, it finds a minimal difference between two such versions. Chunks of the
// difference are added to the first and removed from the second:
//
//	without   with
//	........  abcdefgh   n=2   abcd....  uninteresting: the new without
//	abcd....  abcdefgh   n=2   abcdef..  interesting: the new with
//	abcd....  abcdef..   n=2   abcde...  unresolved
//	                           abcd.f..  unresolved: e and f make the difference
//
// The candidate of each step has the current difference, and the last step has it as its End. The
// versions without changes and with all changes are not tested.
//
// Guarantee: the difference is 1-minimal. A test with one change more or less is unresolved. If
// all tests are resolved, one change remains.
//
// Cost: at most n²+3n tests; at most ⌈log₂ n⌉ if all are resolved.
//
// Deviation: the paper ends after the first round of single changes without success. Search begins
// again with halves if the difference has shrunk since: related changes may now be in one half.
func Search(changes int) *algo.Step[Mix] {
	return halving{Difference: Difference{[]int{}, algo.All(changes)}}.search(2)
}

// A Difference has the changes of an uninteresting and of an interesting version, both ascending. With
// includes Without.
type Difference struct{ Without, With []int }

func (d Difference) size() int { return len(d.With) - len(d.Without) }

// A Mix is a candidate of a [Search]: a version with some changes.
type Mix struct {
	Difference       // so far
	Made       []int // ascending
}

// halving is the state of a search.
type halving struct {
	Difference
	halved int // size of the difference when halves were tried last
}

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

const none = -1

// add tests the uninteresting version with chunk i, then with the later chunks. The earlier chunk
// moved gave an uninteresting version.
func (d halving) add(chunks [][]int, i, moved int) *algo.Step[Mix] {
	switch {
	case i < len(chunks):
	case len(chunks) == 2: // each is the complement of the other
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

// remove tests the interesting version without chunk i, then without the later chunks. The
// earlier chunk needless gave an interesting version.
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

func (d halving) between(without, with []int) halving {
	d.Difference = Difference{without, with}
	return d
}

func (d halving) ask(made []int, next func(algo.Outcome) *algo.Step[Mix]) *algo.Step[Mix] {
	return &algo.Step[Mix]{Candidate: Mix{d.Difference, made}, Next: next}
}

// union returns the union of two disjoint lists, ascending.
func union(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return both
}
