package output

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
	"whittle/oracle"
)

// Records are the files that a Recorder writes. Their names may be empty.
type Records struct{ Stats, Trace, Events string }

// Claim adds the files to the names that the run writes.
func (f Records) Claim(n *Names) error {
	return cmp.Or(
		n.Claim("--stats", f.Stats, "what --stats writes"),
		n.Claim("--trace", f.Trace, "what --trace writes"),
		n.Claim("--events", f.Events, "what --events writes"))
}

// A Recorder writes the files of --trace, --stats and --events. It is safe for concurrent use, because an abandoned
// reduction may still write.
type Recorder struct {
	kept  bool
	diffs func(candidate []byte) []byte

	mu     sync.Mutex
	ended  bool
	stats  io.WriteCloser // nil without --stats
	trace  io.Closer
	lines  *bufio.Writer  // nil without --trace
	events io.WriteCloser // nil without --events
	n      int            // candidates
	err    error
}

// NewRecorder opens the files. With kept the trace lists the kept items of
// each candidate. With diffs it has a diff of the texts for each step. Call Finish even after an error.
func NewRecorder(files Records, kept bool, diffs func(candidate []byte) []byte) (r *Recorder, err error) {
	r = &Recorder{kept: kept, diffs: diffs}
	open := func(flag, path string) (f io.WriteCloser) {
		if path != "" && err == nil {
			if f, err = Create(path); err != nil {
				err = oracle.Errorf("cannot write %s: %w", flag, err)
				return nil
			}
		}
		return f
	}
	r.stats, r.events = open("--stats", files.Stats), open("--events", files.Events)
	if f := open("--trace", files.Trace); f != nil {
		r.trace, r.lines = f, bufio.NewWriter(f)
	}
	return r, err
}

type traceLine struct {
	N        int     `json:"n"`
	Pass     string  `json:"pass"`
	Kind     string  `json:"kind,omitempty"`
	Tokens   int     `json:"tokens"`
	Bytes    int     `json:"bytes"`
	Files    int     `json:"files,omitempty"` // if accepted
	Outcome  string  `json:"outcome"`
	Cached   bool    `json:"cached"`
	Replayed bool    `json:"replayed,omitempty"`
	Accepted bool    `json:"accepted"`
	Ms       float64 `json:"ms"`
	Kept     *[]int  `json:"kept,omitempty"`
	Diff     string  `json:"diff,omitempty"` // to the previous best
}

// Decided adds a candidate to the trace and the events. files is the number of files of the best candidate.
func (r *Recorder) Decided(d whittle.Decision, files int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lines == nil && r.events == nil || r.ended {
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
	if d.Accepted {
		l.Files = files
	}
	if r.kept {
		kept := d.Items()
		l.Kept = &kept
	}
	if r.diffs != nil && d.Accepted {
		l.Diff = diff.Hunks(r.diffs(d.Base), r.diffs(d.File))
	}
	if r.lines != nil {
		r.keep(json.NewEncoder(r.lines).Encode(l))
	}
	name := "candidate"
	if d.Accepted {
		name = "accepted"
	}
	r.write(name, l)
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

	Input   *Input         `json:"-"`
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

// stage has the totals of a stage, including speculative tests.
type stage struct {
	Name    string  `json:"name"`
	Tests   int     `json:"tests"`
	Refused int     `json:"refused"`
	Share   float64 `json:"share"` // of the first stage's tests
	Seconds float64 `json:"seconds"`
}

// Arguments counts a command's optional arguments.
type Arguments struct {
	Before int `json:"arguments_before"`
	After  int `json:"arguments_after"`
}

// Finish writes the figures, closes the files and returns the first error. Later calls do nothing.
func (r *Recorder) Finish(f Figures) error {
	return r.end(&f)
}

// Cede closes the files without figures, so that another Recorder may write them.
func (r *Recorder) Cede() { r.end(nil) }

func (r *Recorder) end(f *Figures) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	r.ended = true
	if f != nil {
		f.compute()
	}
	if r.events != nil {
		if f != nil {
			r.write("finished", f)
		}
		r.keep(r.events.Close())
	}
	if r.stats != nil {
		if f != nil {
			e := json.NewEncoder(r.stats)
			e.SetIndent("", "  ")
			r.keep(e.Encode(f))
		}
		r.keep(r.stats.Close())
	}
	if r.lines != nil {
		r.keep(r.lines.Flush())
		r.keep(r.trace.Close())
	}
	if r.err != nil {
		return oracle.Errorf("cannot write --stats, --trace or --events: %w", r.err)
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
