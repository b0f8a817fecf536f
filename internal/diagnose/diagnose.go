// Package diagnose finds faults of a test by experiments. Each changes one thing. If that inverts the outcome, and
// undoing it restores the outcome, it is the cause. The text of a test only suggests experiments. A test gets copies,
// never the user's files.
package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/disk"
	"whittle/internal/local"
	"whittle/oracle"
)

// A Test is a test and its input, which it should find interesting.
type Test struct {
	Spec     oracle.Spec
	Executor local.Executor
	Timeout  *chain.AdaptiveTimeout // applies if Spec has no timeout
	Input    []byte
	Jobs     int // maximal number of parallel tests
	// Around wraps an executor to turn some exit codes into lost tests.
	Around func(oracle.Executor) oracle.Executor
	Seen   *oracle.Run // of the test on the input; may be nil
	Again  *oracle.Run // another one; may be nil
	// Fixed, if not nil, replaces Executor. Its environment cannot be changed.
	Fixed   oracle.Executor
	Here    bool // Executor can run the test for comparison despite Fixed
	Command bool // exit code 0 is not interesting
	Project bool // the input is a project
	// Fill returns a candidate whose files all have this content; nil for a single file.
	Fill             func(content []byte) []byte
	FillMost         func(content []byte) []byte // Fill for the files with the most frequent extension
	Files            []string                    // absolute paths of the input
	Dir              string                      // of a test run by hand
	Shown, ShownFile string                      // names of the test and the input for the user
	Frames           int                         // of a stack that identify a failure; 0 is [Frames]
	Repeat           int                         // see [chain.Config]
	FlakyError       float64                     // see [chain.Flaky]
	Warn             func(text string)
}

func (t *Test) with(content []byte) []byte {
	if t.Fill != nil {
		return t.Fill(content)
	}
	return content
}

func (t *Test) empty() string {
	if t.Fill != nil {
		return "empty files"
	}
	return "an empty file"
}

// A Cause describes a fault of a test, and the remedy.
type Cause struct {
	What   string // a clause that begins with "it", such as "it reads its standard input"
	Advice string // a sentence without its full stop
}

func (c *Cause) String() string { return fmt.Sprintf("The cause: %s.\n  -> %s", c.What, c.Advice) }

func (t *Test) limit() time.Duration { return t.Timeout.Limit(t.Spec).Timeout }

// A world is what surrounds one run of the test.
type world struct {
	oracle.Spec
	local.Executor
	candidate []byte
	scratch   string // a directory
	err       error  // of a change
}

// write makes a file of the scratch directory.
func (w *world) write(path string, content []byte) {
	if w.err = os.MkdirAll(filepath.Dir(path), 0o700); w.err == nil {
		w.err = os.WriteFile(path, content, 0o700)
	}
}

type change func(w *world)

// run tests a candidate; change may be nil.
func (t *Test) run(ctx context.Context, candidate []byte, change change) (oracle.Run, error) {
	if t.Fixed != nil {
		return t.ask(ctx, t.Fixed, t.Spec, candidate)
	}
	scratch, err := os.MkdirTemp(t.Executor.Work, "world-")
	w := world{Spec: t.Spec, Executor: t.Executor, candidate: candidate, scratch: scratch}
	w.Keeper = nil
	if err == nil {
		defer disk.RemoveTree(scratch)
		w.Work = filepath.Join(scratch, "a", "b", "c") // tests may look in parent directories
		err = os.MkdirAll(w.Work, 0o700)
	}
	if err != nil {
		return oracle.Run{}, oracle.Errorf("cannot make a directory for an experiment: %w", err)
	}
	if change != nil {
		change(&w)
	}
	if w.err != nil {
		return oracle.Run{}, w.err
	}
	return t.ask(ctx, t.Around(&w.Executor), w.Spec, candidate)
}

func (t *Test) ask(ctx context.Context, by oracle.Executor, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	spec.KeepOutput = true
	run, err := by.Run(ctx, t.Timeout.Limit(spec), candidate)
	if err == nil {
		t.Timeout.Learn(run)
	}
	return run, err
}

func (t *Test) says(ctx context.Context, candidate []byte, change change) (bool, error) {
	run, err := t.run(ctx, candidate, change)
	return run.Outcome == algo.Interesting, err
}

type trial struct {
	candidate []byte
	want      bool
	change    change
}

// proved returns the cause if all trials end as expected, else nil.
func (t *Test) proved(ctx context.Context, cause *Cause, trials ...trial) (*Cause, error) {
	for _, s := range trials {
		if yes, err := t.says(ctx, s.candidate, s.change); yes != s.want || err != nil {
			return nil, err
		}
	}
	return cause, nil
}

// cured returns the cause if a change makes the input interesting. It tests with the change,
// without and with it again, lest a flaky test mislead.
func (t *Test) cured(ctx context.Context, cause *Cause, change change) (*Cause, error) {
	return t.proved(ctx, cause, trial{t.Input, true, change}, trial{t.Input, false, nil}, trial{t.Input, true, change})
}

// distinguished returns the cause if, after a change, the test finds the input interesting and an empty candidate not.
func (t *Test) distinguished(ctx context.Context, cause *Cause, change change) (*Cause, error) {
	return t.proved(ctx, cause, trial{t.Input, true, change}, trial{t.with(nil), false, change})
}

type diagnosis func(ctx context.Context) (*Cause, error)

// Experiments are causes, each with a change that removes it.
type experiments = iter.Seq2[*Cause, change]

// by returns the first cause that a proof confirms.
func (t *Test) by(proof func(context.Context, *Cause, change) (*Cause, error), all ...experiments) diagnosis {
	return func(ctx context.Context) (*Cause, error) {
		for _, some := range all {
			for cause, change := range some {
				if cause, err := proof(ctx, cause, change); cause != nil || err != nil {
					return cause, err
				}
			}
		}
		return nil, nil
	}
}

func try(ctx context.Context, all ...diagnosis) (*Cause, error) {
	for _, d := range all {
		if cause, err := d(ctx); cause != nil || err != nil {
			return cause, err
		}
	}
	return nil, nil
}

// WhyNot finds out why the test finds the input uninteresting, as in the run first, which may be nil.
func (t *Test) WhyNot(ctx context.Context, first oracle.Run) (*Cause, error) {
	if t.Fixed != nil {
		return try(ctx, t.inverted, t.worksHere)
	}
	if first.TimedOut {
		return t.needsTime(ctx) // other experiments would take as long
	}
	switch first.Exceeded {
	case oracle.NoLimit:
	case oracle.MemoryLimit:
		return &Cause{"it uses more memory than the limit", "raise the limit with --memory-limit, or make it use less"}, nil
	case oracle.ProcessLimit:
		return &Cause{fmt.Sprintf("it has more than %d processes at once", oracle.MaxProcesses), "make it start fewer"}, nil
	default:
		return &Cause{"it writes more than the limit", "raise the limit with --disk-limit, or make it write less"}, nil
	}
	unknown := func(ctx context.Context) (*Cause, error) { return t.whyUnknown(ctx, first) }
	cause, err := try(ctx, unknown,
		t.by(t.cured, t.runsPrograms, t.readsStdin, t.needsArgument, t.readsOtherName, t.endsLinesByCRLF),
		t.needsFiles, t.by(t.cured, t.wantsDirectory), t.inverted)
	if cause == nil && err == nil {
		cause = notFound(first)
	}
	return cause, err
}

// whyAlways finds out why the test finds both the input and an empty file interesting.
func (t *Test) whyAlways(ctx context.Context) (*Cause, error) {
	always := &Cause{"it finds " + t.empty() + " interesting",
		"make it fail if the problem is not there: as the last command, search for the message of your bug"}
	if t.Fixed != nil {
		return always, nil
	}
	no, err := t.needsNoFile(ctx)
	if err != nil {
		return nil, err
	}
	suspects := []experiments{t.goesOn}
	if no {
		suspects = []experiments{t.readsPath, t.readsBeside, t.goesOn}
		always = &Cause{"it finds anything interesting, even if there is no file at all",
			`its last command decides: search there for the message of your bug, and without "|| true" or "; exit 0" after it`}
	}
	cause, err := t.by(t.distinguished, suspects...)(ctx)
	return cmp.Or(cause, always), err
}

// runs is the number of tests that show flakiness.
const runs = 5

const steady = "make it give the same answer each time, or check for more than it does"

const moreTime = 4

func (t *Test) needsTime(ctx context.Context) (*Cause, error) {
	limit := t.limit()
	run, err := t.run(ctx, t.Input, func(w *world) { w.Timeout = limit * moreTime })
	if run.Outcome != algo.Interesting || err != nil {
		return nil, err
	}
	return &Cause{fmt.Sprintf("it needs %v, and the time limit is %v", run.Elapsed.Round(10*time.Millisecond), limit),
		fmt.Sprintf("raise the limit: --timeout %v", (2*run.Elapsed).Round(time.Second)+time.Second)}, nil
}

func (t *Test) readsStdin(try func(*Cause, change) bool) {
	if !t.Spec.Stdin {
		try(&Cause{"it reads the file from its standard input", "add --stdin"}, func(w *world) { w.Stdin = true })
	}
}

func (t *Test) needsArgument(try func(*Cause, change) bool) {
	if slices.Contains(t.Spec.Argv, oracle.Placeholder) {
		return
	}
	try(&Cause{"it wants the file as an argument",
		fmt.Sprintf("call it like this: %s -- %s {}", t.ShownFile, t.shownProgram())},
		func(w *world) { w.Argv = append(slices.Clone(w.Argv), oracle.Placeholder) })
}

func (t *Test) shownProgram() string {
	if !slices.Contains([]byte(t.Shown), '/') && filepath.Base(t.Spec.Argv[0]) == t.Shown && len(t.Spec.Argv) == 1 {
		return "./" + t.Shown
	}
	return t.Shown
}

// inverted detects inverted exit codes, except of commands that should fail.
func (t *Test) inverted(ctx context.Context) (*Cause, error) {
	if t.Command {
		return nil, nil
	}
	advice := "exit with 0 if the problem is there, and with 1 if it is not"
	if t.Fixed == nil && len(t.Spec.Argv) == 1 {
		advice += fmt.Sprintf("; or let whittle identify the failure: whittle %s -- %s",
			t.ShownFile, t.shownProgram())
	}
	cause := &Cause{fmt.Sprintf("it is inverted: it does not find %s interesting, but %s", t.ShownFile, t.empty()), advice}
	nothing := t.with(nil)
	return t.proved(ctx, cause, trial{nothing, true, nil}, trial{t.Input, false, nil}, trial{nothing, true, nil})
}

func notFound(r oracle.Run) *Cause {
	switch r.ExitCode {
	case 127:
		return &Cause{"a command in it is not found (exit code 127)",
			"give the absolute path of the program, or put its directory into PATH"}
	case 126:
		return &Cause{"a command in it cannot be executed (exit code 126)", "make the program executable: chmod +x"}
	}
	return nil
}
