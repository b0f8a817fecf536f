package run

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/diff"
	"whittle/internal/journal"
	"whittle/internal/output"
	"whittle/oracle"
)

// retestAfter is the age of a journal after which the input is tested again: the environment may
// have changed.
const retestAfter = time.Minute

// Replay adapts the time limit to the journal, and forgets the outcome of the input if the journal
// is old.
func (r *Run) Replay(input []byte) {
	if time.Since(r.Journal.Modified) > retestAfter {
		r.Journal.Forget(input)
	}
	r.Chain.Timeout.Resume(r.Journal.Slowest)
}

func (r *Run) identity() journal.Identity {
	// Files in the command, such as a script, belong to the test.
	test := [][]byte{fmt.Appendf(nil, "%q in %q, %v", r.Spec.Argv, r.Spec.Home, r.Spec.Stdin)}
	if len(r.Retry.Exits) > 0 { // they change the meaning of exit codes
		test = append(test, fmt.Append(nil, "--retry-exit ", r.Retry.Exits))
	}
	words := strings.Fields(r.Test.Server)
	for _, word := range r.Spec.Argv {
		if filepath.IsAbs(word) {
			words = append(words, word)
		}
	}
	for _, word := range words {
		info, err := os.Stat(word)
		reduced := slices.ContainsFunc(r.Input.Paths, func(path string) bool { return output.Within(word, path) })
		if err == nil && info.Mode().IsRegular() && !reduced {
			content, _ := os.ReadFile(word)
			test = append(test, content)
		}
	}
	if r.Remote != nil {
		test = append(test, r.identityThere()...)
	}
	var guards []byte
	for _, g := range r.Guards {
		guards = fmt.Appendf(guards, "%q %v\n", g.Program.Version, g.Allowed)
	}
	for _, stage := range r.Chain.Stages() {
		guards = fmt.Appendf(guards, "%q\n", stage.Argv)
	}
	if r.Crash != nil {
		guards = fmt.Appendf(guards, "%q %s\n", r.Crash.Stage.Command(nil), r.Crash.Stage.Interesting)
	}
	var id journal.Identity
	id.Add("input", []byte(r.Spec.Layout.Name), fmt.Append(nil, r.Spec.Layout.Mode), r.Input.Bytes)
	id.Add("test", test...)
	id.Add("--interesting", []byte(r.InterestingText), []byte(r.Failure.Called()))
	id.Add("--timeout", []byte(r.Spec.Timeout.String()))
	id.Add("--memory-limit or --disk-limit", fmt.Append(nil, r.Limits))
	id.Add("--repeat", fmt.Append(nil, r.Repeat))
	id.Add("--valid, or the compilers of this machine", guards)
	id.Add("--keep-flags", fmt.Append(nil, r.Shrinks))
	id.Seal()
	return id
}

// A Recorder writes --trace and --stats. It is safe for concurrent use, because an abandoned
// reduction may still write.
type Recorder struct {
	kept  bool
	diffs func(candidate []byte) []byte

	mu    sync.Mutex
	ended bool
	stats io.WriteCloser // nil without --stats
	trace io.Closer
	lines *bufio.Writer // nil without --trace
	n     int           // lines of trace
	err   error
}

// NewRecorder opens the files, unless their names are empty. With kept the trace lists the kept items of
// each candidate. With diffs it has a diff of the texts for each step. Finish is needed even after an error.
func NewRecorder(stats, trace string, kept bool, diffs func(candidate []byte) []byte) (r *Recorder, err error) {
	r = &Recorder{kept: kept, diffs: diffs}
	if stats != "" {
		if r.stats, err = output.Create(stats); err != nil {
			return r, oracle.Errorf("cannot write --stats: %w", err)
		}
	}
	if trace != "" {
		f, err := output.Create(trace)
		if err != nil {
			return r, oracle.Errorf("cannot write --trace: %w", err)
		}
		r.trace, r.lines = f, bufio.NewWriter(f)
	}
	return r, nil
}

type traceLine struct {
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
	if r.lines == nil || r.ended {
		return
	}
	r.n++
	l := traceLine{
		N: r.n, Pass: d.Pass, Tokens: d.Tokens, Bytes: d.Bytes, Outcome: d.Outcome.String(),
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
	r.keep(json.NewEncoder(r.lines).Encode(l))
}

// Figures are a run's numbers for --stats. Finish computes the fields from FilesBefore to Stages.
type Figures struct {
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
	Complete       bool        `json:"complete"`
	WallSeconds    float64     `json:"wall_seconds"`
	TestSeconds    float64     `json:"test_seconds"`
	Passes         []passStats `json:"passes"`
	Kinds          []kindStats `json:"kinds"`
	Stages         []stage     `json:"stages,omitempty"`
	Command        string      `json:"command,omitempty"` // with the necessary arguments
	*Arguments                 // nil if not reduced

	Input   *output.Input  `json:"-"`
	Result  whittle.Result `json:"-"`
	Began   time.Time      `json:"-"`
	Tallies []chain.Tally  `json:"-"` // of several stages
}

type passStats struct {
	Name          string  `json:"name"`
	TestsRun      int     `json:"tests_run"`
	TokensRemoved int     `json:"tokens_removed"`
	Seconds       float64 `json:"seconds"`
	Skipped       bool    `json:"skipped,omitempty"`
}

type kindStats struct {
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

// Finish writes the figures, closes the files and returns the first error. Later calls do nothing.
func (r *Recorder) Finish(f Figures) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	r.ended = true
	if r.stats != nil {
		f.compute()
		e := json.NewEncoder(r.stats)
		e.SetIndent("", "  ")
		r.keep(e.Encode(f))
		r.keep(r.stats.Close())
	}
	if r.lines != nil {
		r.keep(r.lines.Flush())
		r.keep(r.trace.Close())
	}
	if r.err != nil {
		return oracle.Errorf("cannot write --stats or --trace: %w", r.err)
	}
	return nil
}

func (f *Figures) compute() {
	result := f.Result
	if result.File == nil {
		result.File = f.Input.Bytes
	}
	f.TokensBefore, f.TokensAfter = result.TokensAtAll, result.Tokens
	f.TestsRun, f.TestsReplayed = result.Tests-result.Replayed, result.Replayed
	f.TestsCached, f.TestsCancelled = result.Cached, result.Cancelled
	f.Accepted, f.FixpointRounds, f.Complete = result.Accepted, result.Rounds, result.Complete
	f.WallSeconds, f.TestSeconds = time.Since(f.Began).Seconds(), result.TestTime.Seconds()
	f.Passes, f.Kinds = []passStats{}, []kindStats{}
	for _, p := range result.Passes {
		f.Passes = append(f.Passes, passStats{p.Name, p.Tests, p.TokensRemoved, p.Elapsed.Seconds(), p.Skipped})
	}
	for _, k := range result.Kinds {
		f.Kinds = append(f.Kinds, kindStats(k))
	}
	for _, s := range f.Tallies {
		f.Stages = append(f.Stages, stage{cmp.Or(s.Name, "test"), s.Tests, s.Refused,
			float64(s.Tests) / float64(max(f.Tallies[0].Tests, 1)), s.Elapsed.Seconds()})
	}
	var before, after int
	before, f.BytesBefore = f.Input.Measure(f.Input.Bytes)
	after, f.BytesAfter = f.Input.Measure(result.File)
	if f.Input.Set != nil {
		f.FilesBefore, f.FilesAfter = &before, &after
	}
}

// keep stores the first error: on a full disk the others are the same.
func (r *Recorder) keep(err error) { r.err = cmp.Or(r.err, err) }
