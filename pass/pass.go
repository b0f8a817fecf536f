// Package pass defines passes, the parts of drivers, and has passes that belong to no driver.
package pass

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// A Pass is one search over candidates of a tree.
type Pass struct {
	Name string
	When When
	// Plainer: an interesting candidate becomes the best file even if its measure is not smaller. Such passes must be
	// the last ones and try few candidates, or else a run might not end.
	Plainer bool
	// Late: starting the search runs a program, so it must not start speculatively.
	Late bool
	// Search returns the search of the pass, which begins with the whole tree. It is a pure function and asks only
	// candidates that the gate allows. It ends with the policy that has learned from it, or with nil. Each interesting
	// candidate that is better becomes the best file; see also Plainer.
	Search func(t *parse.Tree, gate Gate, plan Plan) *Step
}

// A Step is a step of a search over candidates.
type Step = algo.Step[*parse.Candidate]

// When is the phase of a reduction for a pass.
type When uint8

const (
	// Rounds: in each round, until a round makes no change.
	Rounds When = iota
	// First: once, before the rounds.
	First
	// Stuck: after a round without a change. If the pass improves the file, the rounds continue.
	Stuck
	// Between: before each other pass. It seldom has a question.
	Between
	// Fixpoint: when no round would follow. If the pass removes tokens or words, the rounds continue.
	Fixpoint
	// Last: once, after the rounds.
	Last
)

// A Gate decides which candidates deserve a test.
type Gate struct {
	// Fits reports whether a candidate made from base is coherent and has no more errors than the input. nil means
	// always.
	Fits func(base, candidate *parse.Candidate) bool
	// Worse reports whether a candidate has more errors than base, which seldom succeeds. nil means never.
	Worse func(base, candidate *parse.Candidate) bool
	// Longer reports whether a file is longer than the input. nil means never.
	Longer func(file []byte) bool
}

// Allows reports whether a candidate made from base is better and fits.
func (g Gate) Allows(base, candidate *parse.Candidate) bool {
	return candidate.Measure().Less(base.Measure()) && g.fits(base, candidate)
}

// IsWorse reports whether a candidate has more errors than base.
func (g Gate) IsWorse(base, candidate *parse.Candidate) bool {
	return g.Worse != nil && g.Worse(base, candidate)
}

func (g Gate) longer(file []byte) bool { return g.Longer != nil && g.Longer(file) }

func (g Gate) fits(base, candidate *parse.Candidate) bool {
	return g.Fits == nil || g.Fits(base, candidate)
}

// A Plan is the input of a pass in addition to a tree and a gate.
type Plan struct {
	rounds.Plan
	Parse func(file []byte) (*parse.Tree, error)
	// Abreast: all questions after uninteresting outcomes come at once, so the policy searches all lists, and no pass
	// gives up early.
	Abreast bool
	// Clues are the reasons of the file, see [whittle/oracle.Spec]: the places where its failure shows.
	Clues []string
	Facts
	// Repairs are the earlier ones of the run.
	Repairs Repairs
	// Spent returns the tests of the run so far: about a kind of list, the accepted of these, and all.
	Spent func(kind string) (asked, accepted, all int)
}

// Repairs counts the questions that repair a failed candidate, and their successes.
type Repairs struct{ Asked, Helped int }

// Pay reports whether repairs are worth their tests, so far.
func (r Repairs) Pay() bool { return r.Asked < 6+5*r.Helped }

// With returns r after one more repair.
func (r Repairs) With(o algo.Outcome) Repairs {
	r.Asked++
	if o == algo.Interesting {
		r.Helped++
	}
	return r
}

// RepairKind is the kind of a list in a question that repairs a candidate.
const RepairKind = "repair"
