package main

import "whittle/bench/internal/analysis"

// A spec says which run to do. Runs with the same key give the same.
type spec struct {
	Case       string  `json:"case"`
	CaseID     string  `json:"case_id"`
	Driver     string  `json:"driver"`
	Algorithm  string  `json:"algorithm"`
	P0         float64 `json:"p0"`    // 0: the default, lower for long lists; else this for every list, as published
	Width      int     `json:"width"` // see whittle.Options
	Seed       uint64  `json:"seed"`  // of the first repetition
	Repetition int     `json:"repetition"`
	Timeout    float64 `json:"timeout"` // seconds
}

// key is what tells runs apart.
func (s spec) key() spec {
	s.Timeout = 0
	return s
}

// A record is what a run came to, a line of runs.jsonl.
//
// The time of a run is the processor time of its own work and the sum of the
// times that its tests took when they were done for the first time, whichever
// run that was: runs of a case do not repeat each other's tests.
type record struct {
	spec
	Language string `json:"language"`
	Known    int    `json:"smallest_known,omitempty"`

	TokensBefore int `json:"tokens_before"` // of whittle's front end
	TokensAfter  int `json:"tokens_after"`
	CountBefore  int `json:"count_before"` // by tokens.Count
	CountAfter   int `json:"count_after"`
	BytesBefore  int `json:"bytes_before"`
	BytesAfter   int `json:"bytes_after"`

	Tests       int     `json:"tests"` // distinct candidates whose outcome was used
	Cached      int     `json:"cached"`
	Accepted    int     `json:"accepted"`
	Rounds      int     `json:"rounds"`
	Seconds     float64 `json:"seconds"`
	TestSeconds float64 `json:"test_seconds"`
	TimedOut    bool    `json:"timed_out"`
	Complete    bool    `json:"complete"`
	Interesting bool    `json:"still_interesting"` // when it was tested again

	Passes map[string]int `json:"tests_by_pass"`
	Curve  [][3]float64   `json:"curve"` // seconds, tests and tokens, at the start and after each success

	analysis.Run
}
