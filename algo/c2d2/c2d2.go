// Package c2d2 contains the algorithm of Song et al., "C2D2: Extracting Critical Changes for Real-World Bugs with
// Dependency-Sensitive Delta Debugging" (ISSTA 2024), for lists with dependencies, such as the changes of a commit. A
// test of items without an item that they need is unresolved. It says only that a kept item needs a removed one.
//
//	the model: how probably each change is critical            §2.2    model.go
//	the matrix: how probably each needs each other one         §3.2    matrix.go
//
// Guarantee: 1-minimal for any property, because each item of the result was removed from it alone without success. It
// is the smallest result if the property is monotone and only one result is minimal. The empty list is not asked.
//
// Cost: at most twice as many rounds of the model as [algo.ProbDD], a question in each and 3·ln n for resolving on
// average; and n(n+3)/2 for single items, or one for each remaining item if the property is monotone.
//
// # Deviations
//
// One question compiles and tests a set: a compile error is unresolved, and each attempt at resolving it is a question.
//
// The paper allows K = i·ln n attempts for each set that does not compile, in round i. With some hundreds of items
// these dominate. So here K limits all attempts together, and the rounds of starting afresh.
//
// If a superset of a set is uninteresting, so is the set, by monotony. If a subset is, the paper continues with the
// subset; here the attempts continue. After all attempts the set counts as uninteresting, before starting afresh rather
// than after it.
//
// The model learns from the sets that were tested, not from their origins. Items are not chosen by equal chances twice
// in a row, so that every search ends. Items with equal probabilities are taken in order. Only [Config.Cold] is left
// out at first. The single items at the end are ours: an item may count as critical because no set without it was
// resolved.
package c2d2

import (
	"math/rand/v2"
	"slices"

	"whittle/algo"
)

// Name is the name of the algorithm.
const Name = "c2d2"

type step = algo.Step[[]int]

// New returns the algorithm for a list whose item i reportedly needs the items needs[i]; nil means no report.
func New(needs [][]int, p algo.Params) algo.Algorithm {
	c := Defaults()
	c.Needs = needs
	return c.New(p)
}

// Entry returns the table entry of C2D2 without reported needs.
func Entry() algo.Entry {
	return algo.Entry{Name: Name, P0: true, Random: true, Sequential: true,
		With: func(p algo.Params) algo.Algorithm { return New(nil, p) }}
}

// Config has the optional parts and the constants of the algorithm. The paper's ablation is in §4.3.
type Config struct {
	// Needs are the reported needs. They should be mostly correct and must not change.
	Needs [][]int
	// Cold lists items that the first question leaves out (§3.4.1).
	Cold []int

	// The initial probabilities of a reported and an unreported need; more than 0.
	Reported, Unreported float64
	// Trust: a set that breaks a certain need is resolved instead of tested. This is our addition.
	Trust bool
	// Chances is the probability ξ of choosing items by equal chances; 0 means never.
	Chances float64
	// Attempts, times ln n, limits the attempts at resolving for each round; 0 disables resolving and starting afresh.
	Attempts float64
	// Afresh: the search starts afresh after a set that cannot be resolved.
	Afresh bool

	// Longest is the maximum length of a list with a matrix. Longer lists use the model alone.
	Longest int
}

// Defaults returns the constants of the paper, and for δ of its authors' code.
func Defaults() Config {
	return Config{Reported: 1, Unreported: 0.1, Chances: 0.2, Attempts: 1, Afresh: true, Longest: 2000}
}

// Thrifty returns the configuration with the fewest tests of random changes, 0.5 to 0.9 times as many as [Defaults]
// (bench/results/evaluation.md): reported needs are trusted, and each of hundreds of items needs a few others.
func Thrifty() Config {
	return Config{Reported: 1, Unreported: 0.01, Trust: true, Attempts: 0.5, Longest: 2000}
}

// New returns the algorithm with this configuration.
func (c Config) New(p algo.Params) algo.Algorithm {
	return func(weights []int) *step { return c.search(len(weights), algo.All(len(weights)), p) }
}

// After returns the algorithm that continues with the result of another one. grain.Coupled followed by [Thrifty] takes
// fewer tests of random changes, with the same quality (bench/results/evaluation.md).
func (c Config) After(first algo.Algorithm, p algo.Params) algo.Algorithm {
	return func(weights []int) *step {
		n := len(weights)
		return algo.Then(first(weights), algo.All(n), func(left []int) *step { return c.search(n, left, p) })
	}
}

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
