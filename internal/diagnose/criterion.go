package diagnose

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"golang.org/x/sys/unix"

	"whittle/internal/chain"
	"whittle/internal/failure"
	"whittle/internal/rate"
	"whittle/internal/shell"
	"whittle/oracle"
)

// A Failure identifies the failure of a command on the input. Without a Title the command is a
// test: exit code 0 is interesting.
type Failure struct {
	failure.Signature
	Others []failure.Signature // further signatures of the input only
	Own    []failure.Signature // lines of output of the input only
	chain.Hang
	Run   oracle.Run // on the input
	Shows rate.Count // runs on the input, if some do not show it; else zero

	// Dropped says why callers are missing.
	Dropped string
}

// An UnknownError says that a command fails, but other files fail in the same way.
type UnknownError struct {
	Run    oracle.Run // on the input
	Reason string
	Advice string // a sentence without its full stop
	Final  bool   // experiments are useless, as two runs on the input differ, or tests pass
}

func (e *UnknownError) Error() string { return e.Reason }

// Recognise identifies the failure of a command, by two runs on the input, one on an empty file and
// one on garbage. A criterion must hold for both runs on the input and for no other. Without one,
// the error is an [*UnknownError].
//
// Output may identify a failure with exit code 0. If it does not, or the command is a script of
// the user, the command is a test, provided that the other files give another exit code.
func (t *Test) Recognise(ctx context.Context) (Failure, error) {
	probes := t.Probes()
	runs, err := t.lookAtAll(ctx, append([][]byte{t.Input}, probes[:]...))
	if err != nil {
		return Failure{}, err
	}
	run, others := runs[0], runs[1:]
	f := Failure{Run: run}
	if run.TimedOut && !slices.ContainsFunc(others, func(r oracle.Run) bool { return !r.TimedOut }) {
		return Failure{}, t.endless(run)
	}
	if run.TimedOut {
		f.Hang = chain.HangOf(run, others, t.Spec.Timeout)
	}
	again, err := t.again(ctx, run, f.Hang)
	if err != nil {
		return Failure{}, err
	}
	_, crashed := failure.Of(run)
	tells := run.Ended(0) && again.Ended(0) && !slices.ContainsFunc(others, endedWell)
	if tells && t.Fill != nil { // without files a compiler fails, but it may accept empty ones
		if others[0], err = t.look(ctx, t.Fill(nil), chain.Hang{}); err != nil {
			return Failure{}, err
		}
		tells = !endedWell(others[0])
	}
	if tells && !crashed && t.isScript() {
		return f, nil
	}
	varies := false
	for _, s := range t.signatures(run) {
		switch {
		case !s.Criteria.Hold(again):
			varies = true
		case !slices.ContainsFunc(others, s.Criteria.Hold):
			f.Others = append(f.Others, s)
		}
	}
	f.Own = failure.Printed(run, again, others, t.Input, t.fileNames())
	if len(f.Others) == 0 && run.Ended(0) {
		if summary := failure.Passed(run); summary != "" {
			return t.passed(ctx, run, again, others, summary)
		}
		f.Others = slices.Clone(f.Own)
	}
	if tells && len(f.Others) > 0 {
		f.Others = append(f.Others, failure.ExitedWith(0))
	}
	switch {
	case len(f.Others) > 0:
		f.Signature, f.Others = f.Others[0], f.Others[1:]
	case !tells:
		if varies || run.Ended(0) != again.Ended(0) || run.Elapsed < time.Second {
			isTest := !slices.ContainsFunc(others, endedWell)
			if f, found, err := t.sometimes(ctx, t.Input, f.Hang, others, isTest); found || err != nil {
				return f, err
			}
		}
		return Failure{}, t.unknown(run, again, others, varies, f.Own)
	}
	t.addCallers(&f, again)
	return f, nil
}

// longRun is the time of a run that is not repeated if there is another one.
const longRun = 2 * time.Second

// again returns a second run on the input.
func (t *Test) again(ctx context.Context, first oracle.Run, hang chain.Hang) (oracle.Run, error) {
	if t.Again != nil && hang.Limit == 0 && first.Elapsed >= longRun {
		if all := t.signatures(first); len(all) > 0 && all[0].Criteria.Hold(*t.Again) {
			return *t.Again, nil
		}
	}
	return t.look(ctx, t.Input, hang)
}

// signatures returns the signatures of a run on the input, the best first.
func (t *Test) signatures(run oracle.Run) []failure.Signature {
	all := failure.All(run)
	if own, err := regexp.Compile(`(^|[/ "('])(` + t.fileNames() + `|[<[]?stdin[]>]?)([:"') ]|$)`); err == nil {
		failure.Unplaced(all, t.Input, own.MatchString)
	}
	return all
}

// fileNames returns a pattern for the base names of the input's files.
func (t *Test) fileNames() string {
	names := []string{regexp.QuoteMeta(filepath.Base(t.Spec.Name))}
	for _, file := range t.Files {
		filepath.WalkDir(file, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && len(names) < mostTraces {
				names = append(names, regexp.QuoteMeta(filepath.Base(path)))
			}
			return nil
		})
	}
	return strings.Join(names, "|")
}

func endedWell(r oracle.Run) bool { return r.Ended(0) }

func (t *Test) isScript() bool {
	for i, w := range t.Spec.Argv[:min(2, len(t.Spec.Argv))] {
		if strings.HasPrefix(textOf(w), "#!") && (i > 0 || !inPath(w)) {
			return true
		}
	}
	return false
}

func inPath(program string) bool {
	return slices.Contains(filepath.SplitList(os.Getenv("PATH")), filepath.Dir(program))
}

// lookAtAll tests candidates, the input first.
func (t *Test) lookAtAll(ctx context.Context, candidates [][]byte) ([]oracle.Run, error) {
	return inParallel(len(candidates), t.Jobs, func(i int) (oracle.Run, error) {
		if i == 0 && t.Seen != nil && (!t.Seen.TimedOut || t.Command && !t.Project) {
			return *t.Seen, nil
		}
		return t.look(ctx, candidates[i], chain.Hang{})
	})
}

func (t *Test) look(ctx context.Context, candidate []byte, hang chain.Hang) (oracle.Run, error) {
	long := t.Project && bytes.Equal(candidate, t.Input)
	spec := t.Timeout.First(t.Spec, long)
	spec.KeepOutput = true
	if hang.Limit > 0 {
		spec.Timeout, spec.Idle = hang.Limit, hang.Idle
	} else if t.Spec.Timeout == 0 && long {
		defer time.AfterFunc(time.Minute, func() {
			t.Warn(t.Shown + " has not ended after 1m; --timeout 10s takes that as the failure")
		}).Stop()
	}
	if t.Fixed != nil {
		return t.Fixed.Run(ctx, spec, candidate)
	}
	return t.Around(&t.Executor).Run(ctx, spec, candidate)
}

func (t *Test) endless(run oracle.Run) error {
	reason := fmt.Sprintf("%s has not ended after %v on %s, nor on %s or on garbage",
		t.Shown, run.Elapsed.Round(time.Second), t.ShownFile, t.empty())
	if run.Processor < run.Elapsed/10 {
		reason += ", and it waits for something: it does not compute"
	}
	advice := "run it by hand first; if it only needs more time, raise the limit with --timeout"
	return &UnknownError{Run: run, Reason: reason, Advice: advice}
}

// unknown explains why no signature identifies the failure. again is the second run on the input. own are the lines of
// the input's output that no other output has.
func (t *Test) unknown(run, again oracle.Run, others []oracle.Run, varies bool, own []failure.Signature) error {
	alike := []string{"on " + t.ShownFile}
	for i, name := range []string{t.empty(), "garbage"} {
		if slices.ContainsFunc(failure.All(run), func(s failure.Signature) bool { return s.Criteria.Hold(others[i]) }) {
			alike = append(alike, "on "+name)
		}
	}
	reason := fmt.Sprintf("%s fails in the same way %s (%s): nothing identifies the bug",
		t.Shown, english.WordSeries(alike, "and"), Ending(run))
	advice := sayYourself
	if alike[len(alike)-1] == "on garbage" && len(alike) == 2 {
		advice = "any broken file fails so; if you have a version that works, whittle isolate GOOD " + t.ShownFile +
			" -- COMMAND finds what broke it; or " + sayYourself
	}
	if len(own) > 0 {
		advice = fmt.Sprintf("only %s makes it print more; if that is the failure, use %s", t.ShownFile, Flags(own[0]))
	}
	switch {
	case run.Exceeded != oracle.NoLimit:
		reason = fmt.Sprintf("%s exceeds a limit on %s (%s), which does not count as a failure",
			t.Shown, t.ShownFile, Ending(run))
		advice = "raise the limit with --disk-limit, or make it write less"
	case run.Ended(0) && !again.Ended(0):
		advice = steadyCommand
		reason = fmt.Sprintf("%s does not always end in the same way on %s: first with exit code 0, then with %s",
			t.Shown, t.ShownFile, Ending(again))
	case run.Ended(0):
		on := t.empty()
		if !others[0].Ended(0) {
			on = "garbage"
		}
		reason = fmt.Sprintf("%s exits with 0 on %s and on %s, and no line of its output distinguishes them",
			t.Shown, t.ShownFile, on)
		advice = "make COMMAND print or check the error, for example: sh -c 'COMMAND | grep WRONG'; " + advice
	case again.Ended(0):
		reason = fmt.Sprintf("%s fails on %s only sometimes: once it did (%s), and once not",
			t.Shown, t.ShownFile, Ending(run))
		advice = steadyCommand
	case varies:
		reason = fmt.Sprintf("%s fails on %s in a different way each time (%s)", t.Shown, t.ShownFile, Ending(run))
	}
	return &UnknownError{run, reason, advice, run.Ended(0) != again.Ended(0)}
}

const sayYourself = "describe the failure with --interesting-output, --interesting-exit, or a TEST of your own"

const steadyCommand = "make it fail each time, or write a TEST that runs it several times"

// Flags returns the flags that request a signature, or "".
func Flags(s failure.Signature) string {
	c := s.Criteria
	var flags []string
	for _, code := range c.ExitCodes {
		flags = append(flags, fmt.Sprintf("--interesting-exit %d", code))
	}
	for _, signal := range c.Signals {
		flags = append(flags, "--interesting-signal "+strings.TrimPrefix(unix.SignalName(signal), "SIG"))
	}
	printed := func(l oracle.Line) bool { return l.Least > 0 && l.Most == 0 }
	if i := slices.IndexFunc(c.Lines, printed); i >= 0 {
		flags = append(flags, "--interesting-output "+shell.Quote(c.Lines[i].Pattern.String()))
	}
	if c.Timeout || c.Memory || len(c.ExitCodes)+len(c.Signals) > 1 {
		return ""
	}
	return strings.Join(flags, " ")
}

// Frames is the default and maximal number of stack frames that identify a failure.
const Frames = failure.Frames

// addCallers adds callers to the criterion, up to t.Frames in total. They must be in the second run, too. Functions of
// the input count, since they say where the bug is.
func (t *Test) addCallers(f *Failure, again oracle.Run) {
	callers := f.Callers[:min(len(f.Callers), cmp.Or(t.Frames, Frames)-1)]
	f.Callers = nil
	for _, c := range callers {
		if !c.Printed(again.Output) {
			f.Dropped = fmt.Sprintf("%s: not in each failing run, so the callers may change", c.Title)
			return
		}
		f.Callers = append(f.Callers, c)
		f.Shown = append(f.Shown, c.Shown)
		f.Criteria.Lines = append(f.Criteria.Lines, oracle.Line{Pattern: c.Like, Least: 1})
	}
}

// A Distinction says how a command distinguishes two versions. Its Criteria hold only for the
// version that fails.
type Distinction struct {
	Failure
	InOld bool // the old version fails, not the new one
	Vague bool // also with an empty file or garbage
}

// Distinguish finds out in which version the command fails, and identifies the failure. The new version is t.Input. If
// both fail, only one version shows the failure, preferably the new one. The error may be a [*failure.UnfitError] or an
// [*UnknownError].
func (t *Test) Distinguish(ctx context.Context, old []byte, oldName string) (Distinction, error) {
	probes := t.Probes()
	runs, err := t.lookAtAll(ctx, [][]byte{t.Input, old, probes[0], probes[1]})
	if err != nil {
		return Distinction{}, err
	}
	inNew, inOld := runs[0], runs[1]
	order := []bool{false, true}
	if passes(inNew) {
		order = []bool{true, false}
	}
	for _, isOld := range order {
		version, run, other := t.Input, inNew, inOld
		if isOld {
			version, run, other = old, inOld, inNew
		}
		d, err := t.against(ctx, version, run, other, runs[2:])
		if d.InOld = isOld; err != nil || d.Title != "" {
			return d, err
		}
	}
	if passes(inNew) != passes(inOld) || max(inNew.Elapsed, inOld.Elapsed) < time.Second {
		for _, isOld := range order {
			version, other := t.Input, inOld
			if isOld {
				version, other = old, inNew
			}
			f, found, err := t.sometimes(ctx, version, chain.Hang{}, []oracle.Run{other}, false)
			if f.Criteria.ElseZero = other.Ended(0); found || err != nil {
				return Distinction{Failure: f, InOld: isOld, Vague: slices.ContainsFunc(runs[2:], f.Criteria.Hold)}, err
			}
		}
	}
	if passes(inNew) && passes(inOld) {
		return Distinction{}, failure.Unfitf("%s does not fail with %s or %s: it exits with 0 for both; "+
			"give a COMMAND that fails with one of them, or a TEST", t.Shown, oldName, t.ShownFile)
	}
	return Distinction{}, &UnknownError{Run: inNew, Advice: sayYourself,
		Reason: fmt.Sprintf("%s fails with %s in the same way as with %s (%s): nothing distinguishes them",
			t.Shown, t.ShownFile, oldName, Ending(inNew))}
}

func passes(run oracle.Run) bool {
	_, crashed := failure.Of(run)
	return run.Ended(0) && !crashed
}

// against returns the strongest signature of a run and its repetition that the other version does not have, and
// preferably not the probes. Without one, the Title is empty.
func (t *Test) against(ctx context.Context, version []byte, run, other oracle.Run, probes []oracle.Run,
) (d Distinction, err error) {
	signatures := slices.DeleteFunc(failure.All(run), func(s failure.Signature) bool { return s.Criteria.Hold(other) })
	if len(signatures) == 0 {
		return d, nil
	}
	d.Run = run
	if run.TimedOut {
		d.Hang = chain.HangOf(run, append(probes, other), t.Spec.Timeout)
	}
	again, err := t.look(ctx, version, d.Hang)
	if err != nil {
		return d, err
	}
	var common []failure.Signature
	for _, s := range signatures {
		s.Criteria.ElseZero = other.Ended(0)
		switch {
		case !s.Criteria.Hold(again):
		case slices.ContainsFunc(probes, s.Criteria.Hold):
			common = append(common, s)
		default:
			d.Others = append(d.Others, s)
		}
	}
	d.Vague = len(d.Others) == 0
	if d.Others = append(d.Others, common...); len(d.Others) > 0 {
		d.Signature, d.Others = d.Others[0], d.Others[1:]
	}
	return d, nil
}
