package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"whittle/failure"
	"whittle/internal/shell"
	"whittle/oracle"
)

// A Failure is what the failure of a command on the input is known by. It has no Title
// if the command does not fail: then exit code 0 is interesting.
type Failure struct {
	failure.Signature
	Others []failure.Signature // that tell the input from other files as well
	Limit  time.Duration       // of time, for a hang; else 0
	Run    oracle.Run          // on the input
}

// An UnknownError says that a command fails, but not in a way that other files do not.
type UnknownError struct {
	Run    oracle.Run // on the input
	Reason string
}

func (e *UnknownError) Error() string { return e.Reason }

// Recognise finds out what the failure of a command is known by. It runs the command on the
// input, twice, on an empty file and on garbage: what is there both times, and does not
// hold of the others, is a criterion. The error is an [*UnknownError] if there is none.
func (t *Test) Recognise(ctx context.Context) (Failure, error) {
	run, err := t.look(ctx, t.Input, 0)
	if err != nil {
		return Failure{}, err
	}
	f := Failure{Run: run}
	if _, crashed := failure.Of(run); !crashed && run.Ended(0) {
		return f, nil
	}
	probes := t.Probes()
	asked := probes[:]
	if !run.TimedOut {
		asked = append(asked, t.Input)
	}
	others, err := t.lookAtAll(ctx, asked)
	if err != nil {
		return Failure{}, err
	}
	var again oracle.Run
	if run.TimedOut {
		f.Limit = hang(others)
		if again, err = t.look(ctx, t.Input, f.Limit); err != nil {
			return Failure{}, err
		}
	} else {
		others, again = others[:len(probes)], others[len(probes)]
	}
	varies := false
	for _, s := range failure.All(run) {
		switch {
		case !s.Criteria.Hold(again):
			varies = true
		case !slices.ContainsFunc(others, s.Criteria.Hold):
			f.Others = append(f.Others, s)
		}
	}
	if len(f.Others) == 0 {
		return Failure{}, t.unknown(run, again, varies)
	}
	f.Signature, f.Others = f.Others[0], f.Others[1:]
	return f, nil
}

// lookAtAll looks at candidates, as many at once as Jobs allows.
func (t *Test) lookAtAll(ctx context.Context, candidates [][]byte) ([]oracle.Run, error) {
	runs, errs := make([]oracle.Run, len(candidates)), make([]error, len(candidates))
	var all sync.WaitGroup
	jobs := make(chan struct{}, max(t.Jobs, 1))
	for i, candidate := range candidates {
		jobs <- struct{}{}
		all.Go(func() {
			runs[i], errs[i] = t.look(ctx, candidate, 0)
			<-jobs
		})
	}
	all.Wait()
	return runs, cmp.Or(errs...)
}

// look runs the test on a candidate, without judging it.
func (t *Test) look(ctx context.Context, candidate []byte, limit time.Duration) (oracle.Run, error) {
	spec := t.Spec
	spec.KeepOutput = true
	if t.Timeout != nil {
		spec = t.Timeout.Limit(spec)
	}
	if limit > 0 {
		spec.Timeout = limit
	}
	if t.Fixed != nil {
		return t.Fixed.Run(ctx, spec, candidate)
	}
	return t.around(&t.Executor).Run(ctx, spec, candidate)
}

// hangs are the limits of time of a hang.
var hangs = []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second}

// hang returns how long what hangs may run: much longer than others take.
func hang(others []oracle.Run) time.Duration {
	var slowest time.Duration
	for _, r := range others {
		slowest = max(slowest, r.Elapsed)
	}
	for _, limit := range hangs {
		if limit >= 20*slowest {
			return limit
		}
	}
	return time.Minute
}

// unknown returns the error of a command that fails in no way that tells the bug; again is
// how it ended the second time.
func (t *Test) unknown(run, again oracle.Run, varies bool) error {
	reason := fmt.Sprintf("%s fails on %s as on %s or on garbage (%s): nothing tells the bug from that",
		t.Shown, t.ShownFile, t.empty(), Ending(run))
	switch {
	case again.Ended(0) && !run.Ended(0):
		reason = fmt.Sprintf("%s does not fail on %s each time: once it did (%s), and once not",
			t.Shown, t.ShownFile, Ending(run))
	case varies:
		reason = fmt.Sprintf("%s fails on %s in another way each time (%s)", t.Shown, t.ShownFile, Ending(run))
	}
	return &UnknownError{run, reason}
}

// Flags returns the flags of a reduction that ask for a signature; "" if there are none.
func Flags(s failure.Signature) string {
	c := s.Criteria
	var flags []string
	for _, code := range c.ExitCodes {
		flags = append(flags, fmt.Sprintf("--interesting-exit %d", code))
	}
	for _, signal := range c.Signals {
		flags = append(flags, "--interesting-signal "+strings.TrimPrefix(unix.SignalName(signal), "SIG"))
	}
	var printed []*regexp.Regexp
	for _, line := range c.Lines {
		if line.Least > 0 && line.Most == 0 {
			printed = append(printed, line.Pattern)
		}
	}
	if len(printed) > 0 {
		flags = append(flags, "--interesting-output "+shell.Quote(printed[0].String()))
	}
	if c.Timeout || c.Memory || len(c.ExitCodes)+len(c.Signals) > 1 {
		return ""
	}
	return strings.Join(flags, " ")
}
