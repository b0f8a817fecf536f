// Package diagnose finds out what is wrong with a test, by experiments: it runs
// the test in a world that is changed in one thing. Where that turns the answer
// round, and turning it back brings the old answer again, the change is the
// cause. Nothing is guessed from what a test says; words of its text tell only
// what to try.
//
// No experiment touches the user's files: a test gets copies of them.
package diagnose

import (
	"cmp"
	"context"
	"fmt"
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

// A Test is a test and the input that it is to find interesting.
type Test struct {
	Spec     oracle.Spec
	Executor local.Executor
	Timeout  *chain.AdaptiveTimeout // of tests for which Spec has none; nil is none
	Input    []byte
	Jobs     int // tests at once of those that do not wait for each other; 0 is 1
	// Around, if not nil, puts around an executor what takes an end of the test for none.
	Around func(oracle.Executor) oracle.Executor
	// Fixed, if not nil, runs the test in the place of Executor, in a world that cannot be
	// changed: it stays running, or runs on other machines.
	Fixed oracle.Executor
	// Here says that Executor may run the test nevertheless, for comparison.
	Here bool
	// Command says that the test is a command that should fail: exit code 0 is no answer.
	Command bool
	// Fill returns the candidate in which each file contains the same; nil if
	// there is but one file.
	Fill func(content []byte) []byte
	// Files are the absolute paths of the input, Dir is the directory in which
	// a test by hand would find them as it does in its own.
	Files []string
	Dir   string
	// Shown and ShownFile are what the user calls the test and the input.
	Shown, ShownFile string
	Frames           int // of a stack, that a failure is known by; 0 is [Frames]
}

// with returns the candidate that contains nothing else.
func (t *Test) with(content []byte) []byte {
	if t.Fill != nil {
		return t.Fill(content)
	}
	return content
}

// empty is what a candidate without content is called.
func (t *Test) empty() string {
	if t.Fill != nil {
		return "empty files"
	}
	return "an empty file"
}

// A Cause is what is wrong with a test and what to do about it.
type Cause struct {
	What   string // a clause that begins with "it", as "it reads its standard input"
	Advice string // a sentence, without its full stop
}

// limit returns the time limit of a test.
func (t *Test) limit() time.Duration {
	if t.Timeout == nil {
		return t.Spec.Timeout
	}
	return t.Timeout.Limit(t.Spec).Timeout
}

// A world is what a test runs in.
type world struct {
	oracle.Spec
	local.Executor
}

// A change makes something different in the world of a test. It may use the
// directory scratch, which is removed after the test.
type change func(w *world, scratch string) error

// run tests candidate in a changed world.
func (t *Test) run(ctx context.Context, candidate []byte, changes ...change) (oracle.Run, error) {
	if t.Fixed != nil {
		return t.ask(ctx, t.Fixed, t.Spec, candidate)
	}
	w := world{t.Spec, t.Executor}
	scratch, err := os.MkdirTemp(w.Work, "world-")
	if err != nil {
		return oracle.Run{}, &oracle.EnvironmentError{Err: fmt.Errorf("cannot make a directory for an experiment: %w", err)}
	}
	defer disk.RemoveTree(scratch)
	// Tests may look a few directories up, and find nothing there.
	w.Work = filepath.Join(scratch, "a", "b", "c")
	if err := os.MkdirAll(w.Work, 0o700); err != nil {
		return oracle.Run{}, &oracle.EnvironmentError{Err: fmt.Errorf("cannot make a directory for an experiment: %w", err)}
	}
	for _, change := range changes {
		if err := change(&w, scratch); err != nil {
			return oracle.Run{}, err
		}
	}
	return t.ask(ctx, t.around(&w.Executor), w.Spec, candidate)
}

// around returns an executor with what is to stand around it.
func (t *Test) around(e oracle.Executor) oracle.Executor {
	if t.Around == nil {
		return e
	}
	return t.Around(e)
}

// ask runs a test on candidate, with the time limit that adapts.
func (t *Test) ask(ctx context.Context, by oracle.Executor, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	spec.KeepOutput = true
	if t.Timeout == nil {
		return by.Run(ctx, spec, candidate)
	}
	run, err := by.Run(ctx, t.Timeout.Limit(spec), candidate)
	if err == nil {
		t.Timeout.Learn(run)
	}
	return run, err
}

// says reports whether the test finds candidate interesting in a changed world.
func (t *Test) says(ctx context.Context, candidate []byte, changes ...change) (bool, error) {
	run, err := t.run(ctx, candidate, changes...)
	return run.Outcome == algo.Interesting, err
}

// turns reports whether a change turns the answer about candidate to what it
// should be: there, back and there again, so that a moody test does not pass.
func (t *Test) turns(ctx context.Context, candidate []byte, to bool, changes ...change) (bool, error) {
	for _, step := range []struct {
		changes []change
		want    bool
	}{{changes, to}, {nil, !to}, {changes, to}} {
		if yes, err := t.says(ctx, candidate, step.changes...); yes != step.want || err != nil {
			return false, err
		}
	}
	return true, nil
}

// A diagnosis looks for one cause; nil means that it is not that.
type diagnosis func(t *Test, ctx context.Context) (*Cause, error)

// WhyNot finds out why the test says no to the input, as it did in the run
// first. It returns nil if no experiment makes it say yes.
func (t *Test) WhyNot(ctx context.Context, first oracle.Run) (*Cause, error) {
	if t.Fixed != nil {
		return t.try(ctx, (*Test).Inverted, (*Test).worksHere)
	}
	if first.TimedOut {
		return t.needsTime(ctx) // all other experiments would take as long
	}
	switch first.Exceeded {
	case oracle.NoLimit:
	case oracle.MemoryLimit:
		return &Cause{"it uses more memory than the limit", "give it more by --memory-limit, or let it use less"}, nil
	case oracle.ProcessLimit:
		return &Cause{fmt.Sprintf("it has more than %d processes at once", oracle.MaxProcesses), "let it start fewer"}, nil
	default:
		return &Cause{"it writes more than the limit", "give it more by --disk-limit, or let it write less"}, nil
	}
	return t.try(ctx, (*Test).runsPrograms, (*Test).readsStdin, (*Test).needsArgument, (*Test).readsOtherName,
		(*Test).endsLinesByCRLF, (*Test).needsFiles, (*Test).wantsDirectory, (*Test).Inverted,
		func(*Test, context.Context) (*Cause, error) { return notFound(first), nil })
}

// WhyAlways finds out why the test says yes to the input and to an empty file, which
// it did before. As a rule it takes three tests at most.
func (t *Test) WhyAlways(ctx context.Context) (*Cause, error) {
	always := &Cause{"it finds " + t.empty() + " interesting",
		"make it fail if the problem is not there: as the last command, search for the message of your bug"}
	if t.Fixed != nil {
		return always, nil
	}
	no, err := t.needsNoFile(ctx)
	if err != nil {
		return nil, err
	}
	try := []diagnosis{(*Test).goesOn}
	if no {
		try = []diagnosis{(*Test).readsPath, (*Test).readsBeside, (*Test).goesOn}
		always = &Cause{"it finds anything interesting, even if there is no file at all",
			`its last command decides: search there for the message of your bug, and without "|| true" or "; exit 0" after it`}
	}
	cause, err := t.try(ctx, try...)
	return cmp.Or(cause, always), err
}

// try returns the first cause that is found.
func (t *Test) try(ctx context.Context, all ...diagnosis) (*Cause, error) {
	for _, d := range all {
		if cause, err := d(t, ctx); cause != nil || err != nil {
			return cause, err
		}
	}
	return nil, nil
}

// runs is how often a test is run to see whether it changes its mind.
const runs = 5

// Flaky asks the same several times, after a no.
func (t *Test) Flaky(ctx context.Context) (*Cause, error) {
	yes := 0
	for range runs {
		said, err := t.says(ctx, t.Input)
		if err != nil {
			return nil, err
		}
		if said {
			yes++
		}
	}
	if yes == 0 {
		return nil, nil
	}
	return flaky(yes, runs+1), nil
}

// steady is what a flaky test should become.
const steady = "make it give the same answer each time, or let it try several times itself; " +
	"--repeat can only reject what is not stable"

// flaky is the cause that a test does not always say the same.
func flaky(yes, all int) *Cause {
	return &Cause{fmt.Sprintf("it is flaky: of %d runs on the same file %d found it interesting", all, yes),
		steady}
}

// moreTime is how much more time a test gets than its limit.
const moreTime = 4

func (t *Test) needsTime(ctx context.Context) (*Cause, error) {
	limit := t.limit()
	run, err := t.run(ctx, t.Input, func(w *world, _ string) error {
		w.Timeout = limit * moreTime
		return nil
	})
	if run.Outcome != algo.Interesting || err != nil {
		return nil, err
	}
	return &Cause{fmt.Sprintf("it needs %v, and the time limit is %v", run.Elapsed.Round(10*time.Millisecond), limit),
		fmt.Sprintf("give it more: --timeout %v", (2*run.Elapsed).Round(time.Second)+time.Second)}, nil
}

func (t *Test) readsStdin(ctx context.Context) (*Cause, error) {
	if t.Spec.Stdin {
		return nil, nil
	}
	found, err := t.turns(ctx, t.Input, true, func(w *world, _ string) error {
		w.Stdin = true
		return nil
	})
	if !found || err != nil {
		return nil, err
	}
	return &Cause{"it reads the file from its standard input", "add --stdin"}, nil
}

func (t *Test) needsArgument(ctx context.Context) (*Cause, error) {
	if slices.Contains(t.Spec.Argv, oracle.Placeholder) {
		return nil, nil
	}
	found, err := t.turns(ctx, t.Input, true, func(w *world, _ string) error {
		w.Argv = append(slices.Clone(w.Argv), oracle.Placeholder)
		return nil
	})
	if !found || err != nil {
		return nil, err
	}
	return &Cause{"it wants the file as an argument",
		fmt.Sprintf("call it so: %s -- %s {}", t.ShownFile, t.shownProgram())}, nil
}

// shownProgram is the test as a command: with a slash, if it is a file.
func (t *Test) shownProgram() string {
	if !slices.Contains([]byte(t.Shown), '/') && filepath.Base(t.Spec.Argv[0]) == t.Shown && len(t.Spec.Argv) == 1 {
		return "./" + t.Shown
	}
	return t.Shown
}

// Inverted finds exit codes that are the wrong way round. A command that fails has none.
func (t *Test) Inverted(ctx context.Context) (*Cause, error) {
	if t.Command {
		return nil, nil
	}
	nothing := t.with(nil)
	for _, want := range []struct {
		candidate []byte
		yes       bool
	}{{nothing, true}, {t.Input, false}, {nothing, true}} {
		if yes, err := t.says(ctx, want.candidate); yes != want.yes || err != nil {
			return nil, err
		}
	}
	advice := "exit with 0 if the problem is there, and with 1 if it is not"
	if t.Fixed == nil && len(t.Spec.Argv) == 1 {
		advice += fmt.Sprintf("; or let whittle find out what the failure is known by: whittle %s -- %s",
			t.ShownFile, t.shownProgram())
	}
	return &Cause{fmt.Sprintf("it is inverted: it does not find %s interesting, but %s", t.ShownFile, t.empty()),
		advice}, nil
}

// notFound reads the exit codes by which a shell says that it cannot run a
// command.
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
