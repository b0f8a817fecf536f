package algo

import (
	"fmt"
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
// An algorithm does not keep weights, which may change later.
type Algorithm func(weights []int) *Step[[]int]

// Params are what some algorithms start from.
type Params struct {
	P0   float64 // the probability, before any test, that an item is needed; between 0 and 1
	Seed uint64  // of what is drawn at random; every search draws the same
}

// An Entry is a row of a [Table]: an algorithm, and the facts about it that
// others need to know.
type Entry struct {
	Name string
	With func(p Params) Algorithm

	P0     bool // it starts from Params.P0
	Random bool // it draws by Params.Seed

	// Empty: it asks for the empty list when it has picked all that is left.
	// Algorithms that also test parts on their own never do; [EmptyFirst] may
	// go before them.
	Empty bool

	// Sequential: what it asks after a success does not follow from what it would
	// have asked after a failure. Its questions are best asked one by one, each
	// against the file that the last success has left.
	Sequential bool
}

// A Table lists algorithms. It is a value; append to it what is not in it.
type Table []Entry

// Published returns the table of the algorithms of this package.
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

// Names returns the names of the algorithms, in the table's order.
func (t Table) Names() []string {
	names := make([]string, len(t))
	for i, e := range t {
		names[i] = e.Name
	}
	return names
}

// Find returns the row of that name.
func (t Table) Find(name string) (Entry, error) {
	for _, e := range t {
		if e.Name == name {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("no algorithm %q; there are %s", name, strings.Join(t.Names(), ", "))
}

// New returns the algorithm of that name with these parameters.
func (t Table) New(name string, p Params) (Algorithm, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	e, err := t.Find(name)
	if err != nil {
		return nil, err
	}
	return e.With(p), nil
}

// Check returns an error if the parameters cannot be used.
func (p Params) Check() error {
	if !(p.P0 > 0 && p.P0 < 1) {
		return fmt.Errorf("p0 is %v, must be between 0 and 1", p.P0)
	}
	return nil
}

// matter is how many items of a long list are expected to matter.
const matter = 4

// Adaptive returns the algorithm with an initial probability that is lower for
// long lists: of four thousand functions not four hundred matter. With p0 for all
// lists [ProbDD] and its kin would take them ten at a time.
func (e Entry) Adaptive(p Params) Algorithm {
	return func(weights []int) *Step[[]int] {
		p := p
		p.P0 = min(p.P0, matter/float64(max(len(weights), 1)))
		return e.With(p)(weights)
	}
}
