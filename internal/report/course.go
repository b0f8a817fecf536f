package report

import "time"

// A Course is how a file became smaller.
type Course struct {
	Steps   []Step // what was accepted, in order; every nth where there are many
	Last    []Change
	Tests   int
	Elapsed time.Duration
}

// A Step is where a reduction stood when a candidate was accepted.
type Step struct {
	Pass   string
	Tests  int // run until then
	After  time.Duration
	Tokens int
}

// A Change is one of the last steps.
type Change struct {
	Step
	Before int    // tokens
	Diff   string // unified, without a head
	Long   bool   // the files are too long to be compared
}
