// Package c2d2 holds the algorithm of Song et al., "C2D2: Extracting Critical
// Changes for Real-World Bugs with Dependency-Sensitive Delta Debugging" (ISSTA
// 2024), for lists of items that need each other, as the changes of a commit do:
// one calls what another declares. A test of items without something that they need
// is unresolved, as nothing compiles; it says nothing of the property, but that one
// of the kept items needs one of those that are gone.
//
//	the model: how probably each change is critical            §2.2    model.go
//	the matrix: how probably each needs each other one         §3.2    matrix.go
//
//	┌─ choose: what the model gains most from                  Alg. 1  search.go
//	│          or by equal chances, now and then               §3.4.2  choose.go
//	│      │
//	│  part of what was uninteresting: so is this              §3.1    past.go
//	│      │
//	│    test ── unresolved: the matrix learns                 Eq. 4   matrix.go
//	│      │         add or remove what it needs, and test     §3.3    resolve.go
//	│      │         in vain: start afresh                     §3.4.3  choose.go
//	│      │
//	│  resolved: none of what was kept needs what was not      Eq. 5   matrix.go
//	└──────┘ interesting: the list is what was kept            Eq. 6
//	         uninteresting: the model learns
//
//	all decided: each item that is left alone                  ours    search.go
//
// Guarantee: 1-minimal, whatever the property, as each item of the result was
// removed from it alone, in vain; and the smallest if the property is monotone and
// only one result is minimal. That nothing at all is uninteresting is known, and not
// asked.
//
// Cost: at most twice as many rounds of the model as [algo.ProbDD] has, a question in
// each and 3·ln n for resolving on average; and n(n+3)/2 for single items, as many as
// are left if the property is monotone.
//
// # Deviations
//
// The paper first compiles a set, then tests it. Here a question is both: what does
// not compile is unresolved, and each attempt at resolving it is a question.
//
// The paper allows K = i·ln n attempts for each set that does not compile, where i is
// the number of rounds so far. With some hundreds of items that is more than anything
// else takes; so K is how many there may have been in all, and how many rounds of
// starting afresh. The matrix learns from each attempt, and the next is drawn from
// what it has learned.
//
// If a larger set is uninteresting, so is what it was made from, by monotony. Where a
// smaller one is, the paper goes on with that; but it says nothing of what it was made
// from, so here the attempts go on. When all were in vain the set counts as
// uninteresting, and that before starting afresh rather than after it.
//
// The model learns from what was tested, not from what that was made of. Items are
// not chosen by equal chances twice in a row, so that every search ends. Of items
// that are equal to the model the first go first, as in our ProbDD. Nothing says which
// items declare something, to be left out at first; who knows has [Config.Cold].
//
// The single items at the end are ours: an item may count as critical only because
// no set without it was resolved.
package c2d2

import (
	"math/rand/v2"
	"slices"

	"whittle/algo"
)

// Name is that of the algorithm.
const Name = "c2d2"

// step is a step of a list search.
type step = algo.Step[[]int]

// New returns the algorithm for a list of which item i is reported to need the items
// needs[i], right for the most part; nil if nothing is reported. They must not change.
func New(needs [][]int, p algo.Params) algo.Algorithm {
	c := Defaults()
	c.Needs = needs
	return c.New(p)
}

// Entry returns the row of a table of algorithms: C2D2 for lists of which nothing
// is reported.
func Entry() algo.Entry {
	return algo.Entry{Name: Name, P0: true, Random: true, Sequential: true,
		With: func(p algo.Params) algo.Algorithm { return New(nil, p) }}
}

// Config has the parts and the constants of the algorithm. Without one of the parts
// it is what the paper's ablation compares with (§4.3).
type Config struct {
	// Needs are those that are reported, as New has them.
	Needs [][]int
	// Cold lists items that the first question leaves out (§3.4.1); none if it is nil.
	Cold []int

	// Reported and Unreported are how probable a need is before any test, if it is
	// reported and if it is not; more than 0.
	Reported, Unreported float64
	// Trust: what breaks a need of which the matrix is sure is not asked but resolved at
	// once. This is not the paper's.
	Trust bool
	// Chances is how often items are chosen by equal chances, ξ; 0 for never.
	Chances float64
	// Attempts, times ln n, is how many attempts at resolving come with each round of the
	// model; 0 for none, neither of starting afresh.
	Attempts float64
	// Afresh: what cannot be resolved makes the search start afresh.
	Afresh bool

	// Longest is the length of the longest list that has a matrix. What is longer is
	// searched by the model alone until it is no longer.
	Longest int
}

// Defaults returns what the paper and its authors' code have: of δ, the code's values.
func Defaults() Config {
	return Config{Reported: 1, Unreported: 0.1, Chances: 0.2, Attempts: 1, Afresh: true, Longest: 2000}
}

// Thrifty returns what took fewest tests of random changes, 0.5 to 0.9 times those of
// [Defaults] (bench/results/evaluation.md): who trusts what is reported need not ask about it, and
// of hundreds of items each needs a few others, not every tenth.
func Thrifty() Config {
	return Config{Reported: 1, Unreported: 0.01, Trust: true, Attempts: 0.5, Longest: 2000}
}

// New returns the algorithm with these parts and constants.
func (c Config) New(p algo.Params) algo.Algorithm {
	return func(weights []int) *step { return c.search(len(weights), algo.All(len(weights)), p) }
}

// After returns the algorithm over what another one leaves. First grain.Coupled, then
// [Thrifty] took fewer tests of random changes than this alone, and found as much
// (bench/results/evaluation.md).
func (c Config) After(first algo.Algorithm, p algo.Params) algo.Algorithm {
	return func(weights []int) *step {
		n := len(weights)
		return algo.Then(first(weights), algo.All(n), func(left []int) *step { return c.search(n, left, p) })
	}
}

// search begins the search of a part of a list of that many items.
func (c *Config) search(items int, list []int, p algo.Params) *step {
	config := *c
	return search{
		config: &config,
		items:  items,
		list:   list,
		model:  slices.Repeat(model{p.P0}, len(list)),
		chosen: make([]int, len(list)),
		past:   &past{kept: newSet(items, nil), outcome: algo.Uninteresting},
		random: *rand.NewPCG(p.Seed, uint64(items)),
	}.begin()
}
