// Package pass says what a pass is, of which drivers are made: a source of
// candidates for a tree, as a search. It has those that belong to no driver.
package pass

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// A Pass is one way through a tree.
type Pass struct {
	Name string
	When When
	// Plainer: what is interesting becomes the best file though the measure does not
	// find it better. That is for passes that are the last ones and try a few candidates
	// only, for otherwise a run might not end.
	Plainer bool
	// Late: to begin the search runs a program, so it begins only when the pass has its turn.
	Late bool
	// Search returns the search of one pass over a tree, which begins with the whole
	// of it. It is a pure function, as all searches are, and asks for nothing that the
	// gate does not allow. It ends with the policy that has learned from it, or with
	// nothing. Each interesting candidate that is better than the best file becomes the
	// best, whatever the search makes of it; see Plainer.
	Search func(t *parse.Tree, gate Gate, plan Plan) *Step
}

// A Step is one of a search over candidates.
type Step = algo.Step[*parse.Candidate]

// When says when a pass has its turn.
type When uint8

const (
	// Rounds: in each round, until one changes nothing.
	Rounds When = iota
	// First: once, before the rounds.
	First
	// Stuck: when a round has changed nothing; if it makes the file better there are rounds again.
	Stuck
	// Last: once, after them.
	Last
)

// A Gate says which candidates are worth a test.
type Gate struct {
	// Fits reports whether a candidate that was made from base has what it needs, and
	// is no more wrong than the input was. Nil is yes.
	Fits func(base, candidate *parse.Candidate) bool
	// Longer reports whether a file is longer than the input. Nil is no.
	Longer func(file []byte) bool
}

// Allows reports whether a candidate that was made from base is better, and fits.
func (g Gate) Allows(base, candidate *parse.Candidate) bool {
	return candidate.Measure().Less(base.Measure()) && g.fits(base, candidate)
}

func (g Gate) longer(file []byte) bool { return g.Longer != nil && g.Longer(file) }

func (g Gate) fits(base, candidate *parse.Candidate) bool {
	return g.Fits == nil || g.Fits(base, candidate)
}

// A Plan is what a pass needs besides a tree and a gate.
type Plan struct {
	rounds.Plan
	Parse func(file []byte) (*parse.Tree, error)
	// Abreast: what a search asks as long as all is uninteresting is asked at once, so it
	// has its lists searched by the policy, and does not lose patience.
	Abreast bool
}
