package algo

import (
	"fmt"
	"slices"
	"strings"
)

// An Algorithm starts a search for a smaller list among len(weights) items. Candidates are the indexes of the kept
// items, ascending. Weights are sizes, such as numbers of tokens, and at least 0. They may change later.
//
// The whole list counts as interesting and is never a candidate, and neither is the current result. A candidate may
// repeat: the caller caches outcomes. Unresolved counts as uninteresting. Every search ends, for all outcomes.
type Algorithm func(weights []int) *Step[[]int]

// Params are the parameters of the algorithms.
type Params struct {
	P0   float64 // initial probability that an item is required; between 0 and 1
	Seed uint64  // of the random numbers, the same in every search
}

// An Entry of a [Table] is an algorithm with its properties.
type Entry struct {
	Name string
	With func(p Params) Algorithm

	P0     bool // it uses Params.P0
	Random bool // it uses Params.Seed

	// Empty: it asks for the empty list after it has removed all other items. Run [EmptyFirst] before other algorithms.
	Empty bool

	// Sequential: the question after a success differs from the one after a failure, so ask them one by one.
	Sequential bool
}

// A Table lists algorithms. Append to it to add algorithms.
type Table []Entry

// Published returns the algorithms of this package.
func Published() Table {
	return Table{
		{Name: "ddmin", With: func(Params) Algorithm { return DDMin }, Sequential: true},
		{Name: "wddmin", With: func(Params) Algorithm { return WDDMin }, Sequential: true},
		{Name: "probdd", With: func(p Params) Algorithm { return ProbDD(p.P0) }, P0: true, Empty: true},
		{Name: "wprobdd", With: func(p Params) Algorithm { return WProbDD(p.P0) }, P0: true, Empty: true},
		{Name: "cdd", With: func(p Params) Algorithm { return CDD(p.P0) }, P0: true, Empty: true},
		{Name: "opdd", With: func(Params) Algorithm { return OPDD }, Empty: true},
	}
}

// Names returns the names in the order of the table.
func (t Table) Names() []string {
	names := make([]string, len(t))
	for i, e := range t {
		names[i] = e.Name
	}
	return names
}

// Find returns the entry with that name.
func (t Table) Find(name string) (Entry, error) {
	if i := slices.IndexFunc(t, func(e Entry) bool { return e.Name == name }); i >= 0 {
		return t[i], nil
	}
	return Entry{}, fmt.Errorf("no algorithm %q; there are %s", name, strings.Join(t.Names(), ", "))
}

// Check returns an error for invalid parameters.
func (p Params) Check() error {
	if !(p.P0 > 0 && p.P0 < 1) {
		return fmt.Errorf("p0 is %v, must be between 0 and 1", p.P0)
	}
	return nil
}

const expectedRequired = 4

// Adaptive returns the algorithm with a lower P0 for long lists: of 4,000 functions, 400 are not all required. With P0
// for all lists, [ProbDD] and its variants would remove ten of them at a time.
func (e Entry) Adaptive(p Params) Algorithm {
	return func(weights []int) *Step[[]int] {
		p := p
		p.P0 = min(p.P0, expectedRequired/float64(max(len(weights), 1)))
		return e.With(p)(weights)
	}
}
