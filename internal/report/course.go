package report

import "time"

// A Course is the progress of a reduction.
type Course struct {
	Steps   []Step // accepted candidates, in order; if there are many, every nth
	Last    []Change
	Tests   int
	Elapsed time.Duration
}

// A Step is the state of a reduction after an accepted candidate.
type Step struct {
	Pass   string
	Tests  int // number of tests so far
	After  time.Duration
	Tokens int
}

type Change struct {
	Step
	Before int    // tokens before
	Diff   string // unified, without its header
	Long   bool   // the files are too long to compare
}
