package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"whittle"
	"whittle/oracle"
	"whittle/sink"
)

// record writes the files of --trace and --stats.
type record struct {
	list  bool // the trace shows kept items
	stats io.WriteCloser
	trace io.WriteCloser
	files []io.Closer
	lines *bufio.Writer
	n     int
	err   error
}

// newRecord opens the files, which are none of the others of the run.
func newRecord(f reduceFlags) (*record, error) {
	r := &record{list: f.driver == "list"}
	for _, file := range []struct {
		flag, path string
		to         *io.WriteCloser
	}{{"--stats", f.stats, &r.stats}, {"--trace", f.trace, &r.trace}} {
		if file.path == "" {
			continue
		}
		opened, err := sink.Create(file.path)
		if err != nil {
			r.close()
			return nil, &oracle.EnvironmentError{Err: fmt.Errorf("cannot write %s: %w", file.flag, err)}
		}
		r.files = append(r.files, opened)
		*file.to = opened
	}
	if r.trace != nil {
		r.lines = bufio.NewWriter(r.trace)
	}
	return r, nil
}

// traceLine is one candidate.
type traceLine struct {
	N        int     `json:"n"`
	Pass     string  `json:"pass"`
	Tokens   int     `json:"tokens"`
	Bytes    int     `json:"bytes"`
	Outcome  string  `json:"outcome"`
	Cached   bool    `json:"cached"`
	Replayed bool    `json:"replayed,omitempty"`
	Accepted bool    `json:"accepted"`
	Ms       float64 `json:"ms"`
	Kept     *[]int  `json:"kept,omitempty"`
}

func (r *record) decided(d whittle.Decision) {
	if r.lines == nil {
		return
	}
	r.n++
	line := traceLine{r.n, d.Pass, d.Tokens, d.Bytes, d.Outcome.String(), d.Cached, d.Replayed, d.Accepted, milliseconds(d.Elapsed), nil}
	if d.Cached {
		line.Ms = 0
	}
	if r.list {
		kept := d.Items()
		line.Kept = &kept
	}
	r.keep(json.NewEncoder(r.lines).Encode(line))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

type passStats struct {
	Name          string  `json:"name"`
	TestsRun      int     `json:"tests_run"`
	TokensRemoved int     `json:"tokens_removed"`
	Seconds       float64 `json:"seconds"`
}

// finish writes the figures of the whole run.
func (r *record) finish(f reduceFlags, subject *subject, result whittle.Result, elapsed time.Duration) {
	if r.stats == nil {
		return
	}
	passes := []passStats{}
	for _, p := range result.Passes {
		passes = append(passes, passStats{p.Name, p.Tests, p.TokensRemoved, p.Elapsed.Seconds()})
	}
	filesBefore, bytesBefore := subject.Measure(subject.Bytes)
	filesAfter, bytesAfter := subject.Measure(result.File)
	only := func(n int) *int { // for several files
		if subject.Set == nil {
			return nil
		}
		return &n
	}
	e := json.NewEncoder(r.stats)
	e.SetIndent("", "  ")
	r.keep(e.Encode(struct {
		Driver         string      `json:"driver"`
		Algorithm      string      `json:"algorithm"`
		Seed           uint64      `json:"seed"`
		Language       string      `json:"language"`
		Jobs           int         `json:"jobs"`
		FilesBefore    *int        `json:"files_before,omitempty"`
		FilesAfter     *int        `json:"files_after,omitempty"`
		TokensBefore   int         `json:"tokens_before"`
		TokensAfter    int         `json:"tokens_after"`
		BytesBefore    int         `json:"bytes_before"`
		BytesAfter     int         `json:"bytes_after"`
		TestsRun       int         `json:"tests_run"`
		TestsReplayed  int         `json:"tests_replayed"`
		TestsCached    int         `json:"tests_cached"`
		TestsCancelled int         `json:"tests_cancelled"`
		Accepted       int         `json:"accepted"`
		FixpointRounds int         `json:"fixpoint_rounds"`
		WallSeconds    float64     `json:"wall_seconds"`
		TestSeconds    float64     `json:"test_seconds"`
		Passes         []passStats `json:"passes"`
	}{
		f.driver, f.algorithm, f.seed, subject.languageName(), f.jobs, only(filesBefore), only(filesAfter), result.TokensAtAll, result.Tokens, bytesBefore, bytesAfter,
		result.Tests - result.Replayed, result.Replayed, result.Cached, result.Cancelled, result.Accepted, result.Rounds,
		elapsed.Seconds(), result.TestTime.Seconds(), passes,
	}))
}

// keep remembers the first error: on a full disk all others are the same.
func (r *record) keep(err error) { r.err = cmp.Or(r.err, err) }

// close closes the files, and tells what went wrong with them.
func (r *record) close() error {
	if r.lines != nil {
		r.keep(r.lines.Flush())
	}
	for _, f := range r.files {
		r.keep(f.Close())
	}
	r.stats, r.trace, r.lines, r.files = nil, nil, nil, nil
	if r.err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write --stats or --trace: %w", r.err)}
	}
	return nil
}
