// Package record writes --trace and --stats, and records progress for a report.
package record

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/diff"
	"whittle/internal/output"
	"whittle/oracle"
)

// A Recorder writes --trace and --stats. It is safe for concurrent use, because an abandoned
// reduction may still write.
type Recorder struct {
	kept  bool
	diffs func(candidate []byte) []byte

	mu    sync.Mutex
	stats io.Writer // nil without --stats and after Finish
	run   Figures
	trace *bufio.Writer
	files []io.Closer
	lines int
	err   error
}

// Open opens the files, unless their names are empty. With kept the trace lists the kept items of
// each candidate. With diffs it has a diff of the texts for each step. The figures of run are
// written unless Finish is called.
func Open(stats, trace string, kept bool, diffs func(candidate []byte) []byte, run Figures) (*Recorder, error) {
	r := &Recorder{kept: kept, diffs: diffs, run: run}
	open := func(flag, path string) (io.Writer, error) {
		f, err := output.Create(path)
		if err != nil {
			r.Close()
			return nil, oracle.Errorf("cannot write %s: %w", flag, err)
		}
		r.files = append(r.files, f)
		return f, nil
	}
	if stats != "" {
		f, err := open("--stats", stats)
		if err != nil {
			return nil, err
		}
		r.stats = f
	}
	if trace != "" {
		f, err := open("--trace", trace)
		if err != nil {
			return nil, err
		}
		r.trace = bufio.NewWriter(f)
	}
	return r, nil
}

type line struct {
	N        int     `json:"n"`
	Pass     string  `json:"pass"`
	Kind     string  `json:"kind,omitempty"`
	Tokens   int     `json:"tokens"`
	Bytes    int     `json:"bytes"`
	Outcome  string  `json:"outcome"`
	Cached   bool    `json:"cached"`
	Replayed bool    `json:"replayed,omitempty"`
	Accepted bool    `json:"accepted"`
	Ms       float64 `json:"ms"`
	Kept     *[]int  `json:"kept,omitempty"`
	Diff     string  `json:"diff,omitempty"` // to the previous best
}

// Decided adds a candidate to the trace.
func (r *Recorder) Decided(d whittle.Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trace == nil {
		return
	}
	r.lines++
	l := line{
		N: r.lines, Pass: d.Pass, Tokens: d.Tokens, Bytes: d.Bytes, Outcome: d.Outcome.String(),
		Cached: d.Cached, Replayed: d.Replayed, Accepted: d.Accepted,
	}
	if d.About != nil {
		l.Kind = d.About.Kind()
	}
	if !d.Cached {
		l.Ms = float64(d.Elapsed.Microseconds()) / 1000
	}
	if r.kept {
		kept := d.Items()
		l.Kept = &kept
	}
	if r.diffs != nil && d.Accepted {
		l.Diff = diff.Hunks(r.diffs(d.Base), r.diffs(d.File))
	}
	r.keep(json.NewEncoder(r.trace).Encode(l))
}

type statsFile struct {
	Driver         string  `json:"driver"`
	Algorithm      string  `json:"algorithm"`
	Seed           uint64  `json:"seed"`
	Language       string  `json:"language"`
	Jobs           int     `json:"jobs"`
	FilesBefore    *int    `json:"files_before,omitempty"`
	FilesAfter     *int    `json:"files_after,omitempty"`
	TokensBefore   int     `json:"tokens_before"`
	TokensAfter    int     `json:"tokens_after"`
	BytesBefore    int     `json:"bytes_before"`
	BytesAfter     int     `json:"bytes_after"`
	TestsRun       int     `json:"tests_run"`
	TestsReplayed  int     `json:"tests_replayed"`
	TestsCached    int     `json:"tests_cached"`
	TestsCancelled int     `json:"tests_cancelled"`
	Accepted       int     `json:"accepted"`
	FixpointRounds int     `json:"fixpoint_rounds"`
	Complete       bool    `json:"complete"`
	WallSeconds    float64 `json:"wall_seconds"`
	TestSeconds    float64 `json:"test_seconds"`
	Passes         []pass  `json:"passes"`
	Kinds          []kind  `json:"kinds"`
	Stages         []stage `json:"stages,omitempty"`
	Command        string  `json:"command,omitempty"` // with the necessary arguments
	*Arguments
}

type pass struct {
	Name          string  `json:"name"`
	TestsRun      int     `json:"tests_run"`
	TokensRemoved int     `json:"tokens_removed"`
	Seconds       float64 `json:"seconds"`
	Skipped       bool    `json:"skipped,omitempty"`
}

type kind struct {
	Kind          string `json:"kind"`
	Tests         int    `json:"tests"`
	Accepted      int    `json:"accepted"`
	TokensRemoved int    `json:"tokens_removed"`
}

// stage sums up a stage, with speculative tests.
type stage struct {
	Name    string  `json:"name"`
	Tests   int     `json:"tests"`
	Refused int     `json:"refused"`
	Share   float64 `json:"share"` // of the first's tests
	Seconds float64 `json:"seconds"`
}

// Arguments counts a command's optional arguments.
type Arguments struct {
	Before int `json:"arguments_before"`
	After  int `json:"arguments_after"`
}

// Figures are a run's numbers for --stats.
type Figures struct {
	Driver, Algorithm string
	Seed              uint64
	Language          string
	Jobs              int
	Input             *output.Input
	whittle.Result
	Began     time.Time
	Stages    []chain.Tally // of several stages
	Command   string        // for a shell; "" if not reduced
	Arguments *Arguments    // likewise
}

// Finish writes the figures.
func (r *Recorder) Finish(run Figures) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finish(run)
}

func (r *Recorder) finish(run Figures) {
	if r.stats == nil {
		return
	}
	in, result := run.Input, run.Result
	if result.File == nil {
		result.File = in.Bytes
	}
	f := statsFile{
		Driver: run.Driver, Algorithm: run.Algorithm, Seed: run.Seed, Language: run.Language, Jobs: run.Jobs,
		TokensBefore: result.TokensAtAll, TokensAfter: result.Tokens,
		TestsRun: result.Tests - result.Replayed, TestsReplayed: result.Replayed,
		TestsCached: result.Cached, TestsCancelled: result.Cancelled, Accepted: result.Accepted,
		FixpointRounds: result.Rounds, Complete: result.Complete,
		WallSeconds: time.Since(run.Began).Seconds(), TestSeconds: result.TestTime.Seconds(),
		Passes: []pass{}, Kinds: []kind{}, Command: run.Command, Arguments: run.Arguments,
	}
	for _, p := range result.Passes {
		f.Passes = append(f.Passes, pass{p.Name, p.Tests, p.TokensRemoved, p.Elapsed.Seconds(), p.Skipped})
	}
	for _, k := range result.Kinds {
		f.Kinds = append(f.Kinds, kind(k))
	}
	for _, s := range run.Stages {
		f.Stages = append(f.Stages, stage{cmp.Or(s.Name, "test"), s.Tests, s.Refused,
			float64(s.Tests) / float64(max(run.Stages[0].Tests, 1)), s.Elapsed.Seconds()})
	}
	var before, after int
	before, f.BytesBefore = in.Measure(in.Bytes)
	after, f.BytesAfter = in.Measure(result.File)
	if in.Set != nil {
		f.FilesBefore, f.FilesAfter = &before, &after
	}
	e := json.NewEncoder(r.stats)
	e.SetIndent("", "  ")
	r.keep(e.Encode(f))
	r.stats = nil
}

// keep stores the first error: on a full disk the others are the same.
func (r *Recorder) keep(err error) { r.err = cmp.Or(r.err, err) }

// Close closes the files and returns the first error.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finish(r.run)
	if r.trace != nil {
		r.keep(r.trace.Flush())
	}
	for _, f := range r.files {
		r.keep(f.Close())
	}
	r.stats, r.trace, r.files = nil, nil, nil
	if r.err != nil {
		return oracle.Errorf("cannot write --stats or --trace: %w", r.err)
	}
	return nil
}
