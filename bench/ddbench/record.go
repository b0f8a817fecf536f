package main

import "whittle/bench/internal/analysis"

// A spec identifies a run. Runs with equal keys have equal results.
type spec struct {
	Case       string  `json:"case"`
	CaseID     string  `json:"case_id"`
	Driver     string  `json:"driver"`
	Algorithm  string  `json:"algorithm"`
	P0         float64 `json:"p0"`    // 0 means the default, which is lower for long lists
	Width      int     `json:"width"` // see whittle.Options
	Seed       uint64  `json:"seed"`  // of the first repetition
	Repetition int     `json:"repetition"`
	Timeout    float64 `json:"timeout"` // seconds
}

func (s spec) key() spec {
	s.Timeout = 0
	return s
}

// A record is the result of a run, a line of runs.jsonl.
//
// Its time is the processor time of its own work plus the durations of its tests when they were run for the first time,
// in any run, since the runs of a case share outcomes.
type record struct {
	spec
	Language string `json:"language"`
	Known    int    `json:"smallest_known,omitempty"`

	TokensBefore int `json:"tokens_before"` // by whittle's front end
	TokensAfter  int `json:"tokens_after"`
	CountBefore  int `json:"count_before"` // by tokens.Count
	CountAfter   int `json:"count_after"`
	BytesBefore  int `json:"bytes_before"`
	BytesAfter   int `json:"bytes_after"`

	Tests       int     `json:"tests"` // distinct candidates with a used outcome
	Cached      int     `json:"cached"`
	Accepted    int     `json:"accepted"`
	Rounds      int     `json:"rounds"`
	Seconds     float64 `json:"seconds"`
	TestSeconds float64 `json:"test_seconds"`
	TimedOut    bool    `json:"timed_out"`
	Complete    bool    `json:"complete"`
	Interesting bool    `json:"still_interesting"` // tested again

	Passes map[string]int `json:"tests_by_pass"`
	Curve  [][3]float64   `json:"curve"` // seconds, tests and tokens, at the start and after each success

	analysis.Run
}
