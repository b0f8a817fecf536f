package algo

import (
	"fmt"
	"slices"
	"strings"
)

// An Algorithm starts a search for a smaller list among len(weights) items.
// Candidates are the indexes of the kept items, ascending. Weights are sizes,
// such as numbers of tokens, and at least 0; the unweighted algorithms use no
// more than their number.
//
// The whole list is taken to be interesting and is never asked, nor is any
// candidate equal to the list the search has come down to. A candidate may be
// asked again: who runs the search remembers outcomes. Unresolved counts as
// uninteresting. Every search ends, whatever the outcomes.
//
// The algorithms that remove what they picked (probdd, wprobdd, cdd, opdd,
// grain, activecoarsen) ask for the empty list when they picked all that is left. Those
// that also test parts on their own (ddmin, wddmin, chisel) never do; put
// EmptyFirst before them if it may be interesting.
type Algorithm func(weights []int) *Step[[]int]

// Params are what some algorithms start from.
type Params struct {
	// P0 is the probability, before any test, that an item is needed, between 0
	// and 1: for probdd, wprobdd, cdd and activecoarsen.
	P0 float64
	// Seed decides what activecoarsen draws; every search draws the same.
	Seed uint64
}

var algorithms = []struct {
	name  string
	start func(weights []int, p Params) *step
}{
	{"ddmin", func(weights []int, _ Params) *step { return ddmin(len(weights)) }},
	{"wddmin", func(weights []int, _ Params) *step { return wddmin(weights) }},
	{"probdd", func(weights []int, p Params) *step { return probdd(len(weights), p.P0) }},
	{"wprobdd", func(weights []int, p Params) *step { return wprobdd(weights, p.P0) }},
	{"cdd", func(weights []int, p Params) *step { return cdd(len(weights), p.P0) }},
	{"opdd", func(weights []int, _ Params) *step { return opdd(len(weights)) }},
	{"chisel", func(weights []int, _ Params) *step { return chisel(len(weights)) }},
	{"grain", func(weights []int, _ Params) *step { return grain(weights) }},
	{"activecoarsen", func(weights []int, p Params) *step { return activeCoarsen(len(weights), p.P0, p.Seed) }},
}

// New gives the algorithm of that name.
func New(name string, p Params) (Algorithm, error) {
	if !(p.P0 > 0 && p.P0 < 1) {
		return nil, fmt.Errorf("p0 is %v, must be between 0 and 1", p.P0)
	}
	for _, a := range algorithms {
		if a.name == name {
			return func(weights []int) *Step[[]int] {
				return a.start(slices.Clone(weights), p)
			}, nil
		}
	}
	return nil, fmt.Errorf("no algorithm %q; there are %s", name, strings.Join(Names(), ", "))
}

// Names lists the algorithms New knows.
func Names() []string {
	var names []string
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return names
}

// The rest is what all algorithms are written with.

type step = Step[[]int]

// ask tests the candidate and goes on with yes if it is interesting, else with
// no. Neither is called before an outcome is known, so a search of any length
// needs no stack.
func ask(candidate []int, yes, no func() *step) *step {
	return &step{Candidate: candidate, Next: func(o Outcome) *step {
		if o == Interesting {
			return yes()
		}
		return no()
	}}
}

// all lists the indexes of n items.
func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// without gives the list without the part. Both are ascending, and all of the
// part is in the list.
func without(list, part []int) []int {
	rest := make([]int, 0, len(list)-len(part))
	for _, item := range part {
		i := 0
		if list[0] != item { // else the part goes on where it was
			i, _ = slices.BinarySearch(list, item)
		}
		rest = append(rest, list[:i]...)
		list = list[i+1:]
	}
	return append(rest, list...)
}

// tie is the relative difference up to which two expected gains count as
// equal. Gains tie exactly at the usual p0 (with p = 1/m, removing m-1 or m
// items promises the same), and rounding must not decide between them.
const tie = 1e-9
