// Package run performs the work of a command: it reads the input, starts the test, reduces, and
// writes results. Commands fill in a [Config] and call [New] and [Run.Read]; then [Run.Open],
// [Run.Reduce] and [Run.Finish], or [Run.Start] for experiments.
package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"whittle"

	"github.com/dustin/go-humanize"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/journal"
	"whittle/internal/local"
	"whittle/internal/remote"
	"whittle/internal/sandbox"
	"whittle/internal/server"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// A Run is the state of one command. Methods that use the test need Start.
type Run struct {
	Config
	Input    *Input
	Chain    *chain.Chain // runs the test
	Spec     oracle.Spec  // without the adaptive time limit
	Failure  diagnose.Failure
	Shrinks  bool   // arguments of the command are reduced
	Prepared string // message of Prepare about a changed input

	SandboxLevel sandbox.Level
	valid.Found  // by Guard

	late    context.Context // ends when slow parsers are abandoned
	seen    []byte          // the input of Seen and free
	free    *oracle.Run     // another run like Seen; may be nil
	program local.Executor
	cluster *remote.Cluster // may be nil
	named   []string        // files that the command names
	lost    sync.Once       // warned of lost tests
	closers
	reduction
}

// New returns a run, which must be closed. After ctx ends, it waits for no slow parser.
func New(ctx context.Context, c Config) *Run {
	r := &Run{Config: c, late: Late(ctx)}
	r.Journal = &journal.Journal{}
	if c.Observe == nil {
		r.Observe = func(whittle.Event) {}
	}
	if r.Host == nil {
		r.Host = NewHost(r.near())
		r.Later(r.Host.Close)
	}
	return r
}

// gcPercent is low, because rendered files are most of the memory and die young; lower for large files.
const gcPercent, gcLeast = 40, 20

// slack bounds a test's duration over that of the slowest interesting one.
const slack = 10

// Find finds the test of an input.
func (r *Run) Find(in *Input) (err error) {
	if mib := len(in.Bytes) >> 20; in.Language.FrontEnd != "antlr" || mib > 0 { // collecting ANTLR's tables is slow
		debug.SetGCPercent(max(gcPercent-mib, gcLeast))
	}
	r.Input = in
	if r.Spec, r.program.Program, err = r.Test.find(in.Mode); err != nil {
		if r.Remote != nil && errors.Is(err, exec.ErrNotFound) {
			err = fmt.Errorf("%w; if it is on the cluster alone, say so: -- env %s", err, r.Test)
		}
		return err
	}
	r.Spec.Layout = in.Layout()
	r.Spec.Stdin, r.Spec.Interesting = r.Stdin || r.readsInput(r.Spec.Layout.Name), r.Interesting
	r.Spec.Timeout, r.Spec.Limits = r.Timeout, r.Limits
	r.Spec.Env = tool.Environment(nil, r.Env)
	if disk := r.Limits.Disk; disk > 0 && uint64(len(in.Bytes)) > disk {
		return fmt.Errorf("%s has %s, more than the limit of %s for a test; raise --disk-limit",
			in, humanize.IBytes(uint64(len(in.Bytes))), humanize.IBytes(disk))
	}
	return nil
}

// Program returns the path of the test, or of a server's shell.
func (r *Run) Program() string { return r.Spec.Argv[0] }

// Start makes the work directory and the chain of executors. Servers live until ctx ends or the
// run is closed.
func (r *Run) Start(ctx context.Context) error {
	if err := r.Host.start(r.WorkDir, r.Limits.Disk); err != nil {
		return err
	}
	work, reaper := r.Host.work.Dir, r.Host.reaper
	r.program.Work, r.program.Reaper = work, reaper
	r.program.Reads = &local.Reads{Of: r.Input.Bytes, Argv: r.Spec.Argv}
	if r.keepsBuilds() {
		r.program.Keeper = local.NewKeeper(ctx.Done(), r.near())
		r.Later(r.program.Keeper.Close)
	}
	if err := r.confine(ctx); err != nil {
		return err
	}
	var executor oracle.Executor = &r.program
	if r.Test.Server != "" {
		pool := server.New(ctx, server.Options{
			Work: work, Reaper: reaper, Jobs: r.near(), Known: r.Input.Bytes, Launch: launchIn(r.program.Sandbox, work),
		})
		r.Later(func() { pool.Close() })
		executor = pool
	}
	var overflow *chain.Overflow
	if r.Remote != nil {
		var err error
		if overflow, err = r.dial(ctx); err != nil {
			return err
		}
	}
	r.Retry.Waits = func(lost error, _ time.Duration) { // many tests may wait at the same time
		r.lost.Do(func() { r.Warn(fmt.Sprintf("%v; asking again, with pauses", lost)) })
	}
	r.Chain = chain.Build(chain.Config{
		Executor: executor, Programs: r.Programs(), Jobs: r.near(),
		Overflow: overflow, Retry: r.Retry, Repeat: r.Repeat, AtOnce: r.atOnce(), Turn: r.Turn, Flaky: r.contradicted,
		// With more tests than processors, each takes longer than alone.
		Slack: slack * max(1, float64(r.near())/float64(runtime.NumCPU())),
	})
	return nil
}

func (r *Run) atOnce() int {
	if r.Turn != nil { // a turn is for one question
		return 1
	}
	return r.Jobs
}

// Scratch makes a temporary directory.
func (r *Run) Scratch() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(r.program.Work, "scratch")
	return dir, func() { os.RemoveAll(dir) }, err
}

// Once returns the test without confirmation.
func (r *Run) Once() oracle.Test { return oracle.Test{Spec: r.Spec, Executor: r.Chain.Once} }

// Afresh is Once without the cluster's cache.
func (r *Run) Afresh() oracle.Test {
	test := r.Once()
	test.Spec.Afresh = true
	return test
}

// Bare returns the test without confirmation and validity checks, with a time limit for runs to the end.
func (r *Run) Bare() oracle.Test {
	return oracle.Test{Spec: r.Chain.Timeout.Patient(r.Spec), Executor: r.Chain.Bare}
}

// Ask tests a candidate. It is an [oracle.Property].
func (r *Run) Ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return r.Chain.Ask(ctx, r.Spec, candidate)
}

// Load returns the numbers of running and ended tests.
func (r *Run) Load() chain.Load {
	now := r.Chain.Load()
	now.Where = r.Elsewhere()
	return now
}

// Diagnosis returns the test for experiments.
func (r *Run) Diagnosis() *diagnose.Test {
	in := r.Input
	t := &diagnose.Test{
		Spec: r.Spec, Executor: r.program, Timeout: &r.Chain.Timeout,
		Command: r.Test.Inline && r.Spec.Interesting.IsZero(), Project: r.Test.Project != nil,
		Input: in.Bytes, Jobs: r.atOnce(), Shown: r.Test.String(), ShownFile: in.String(), Files: in.absolute(),
		Frames: r.Frames, Around: r.Chain.On, Repeat: r.Repeat, FlakyError: r.FlakyError, Warn: r.Warn,
	}
	if r.Test.Server != "" || r.cluster != nil {
		t.Fixed, t.Here = r.Bare().Executor, r.cluster != nil
	} else if s := r.Seen; s != nil && r.Retry.Exits == nil && bytes.Equal(r.seen, in.Bytes) {
		t.Seen, t.Again = s, r.free
	}
	t.Dir = filepath.Dir(t.Files[0])
	if in.Set != nil {
		t.Fill = func(content []byte) []byte { return in.Set.Fill(in.Bytes, content) }
		t.FillMost = func(content []byte) []byte { return in.Set.FillMost(in.Bytes, content) }
		if in.Names[0] == "." {
			t.Dir = t.Files[0]
		} else if dir, ok := strings.CutSuffix(t.Files[0], "/"+in.Names[0]); ok {
			t.Dir = dir // src/a.c is src/a.c for the test
		}
	}
	return t
}

// closers are safe for concurrent use: goroutines that ignore their context may still open
// something.
type closers struct {
	mu     sync.Mutex
	all    []func()
	closed bool
}

// Later registers a function for Close; after Close it calls it at once.
func (c *closers) Later(closer func()) {
	c.mu.Lock()
	closed := c.closed
	if !closed {
		c.all = append(c.all, closer)
	}
	c.mu.Unlock()
	if closed {
		closer()
	}
}

// Close calls the registered functions, the last first.
func (c *closers) Close() {
	c.mu.Lock()
	all := c.all
	c.all, c.closed = nil, true
	c.mu.Unlock()
	for _, closer := range slices.Backward(all) {
		closer()
	}
}
