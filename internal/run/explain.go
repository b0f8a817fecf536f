package run

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/server"
	"whittle/internal/serverscript"
	"whittle/internal/shell"
	"whittle/oracle"
)

// An explanation shows so much output.
const (
	shownLines = 20
	shownBytes = 2000
)

// An uninterestingError is an explained [whittle.ErrUninteresting].
type uninterestingError string

func (e uninterestingError) Error() string { return string(e) }
func (e uninterestingError) Unwrap() error { return whittle.ErrUninteresting }

// Explain returns a function that explains err by running tests, or nil if err needs no explanation.
func (r *Run) Explain(err error) func(context.Context) error {
	probe := (*SenselessError)(nil)
	switch {
	case errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky):
		return func(ctx context.Context) error {
			if err := r.Input.Kept(); err != nil && !r.Journal.Resumed {
				return err // an original from another test
			}
			return r.ExplainUninteresting(ctx)
		}
	case errors.As(err, &probe):
		return func(ctx context.Context) error { return r.Diagnosis().Senseless(ctx, probe.Garbage) }
	}
	return nil
}

// ExplainUninteresting tests the input again. Its error wraps [whittle.ErrUninteresting] and says why.
func (r *Run) ExplainUninteresting(ctx context.Context) error {
	run, err := r.Once().Explain(ctx, r.Input.Bytes)
	if err != nil {
		return err
	}
	if r.Test.Server != "" {
		return r.serverUninteresting(run)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s does not find %s interesting as it is (%s)\n",
		whittle.ErrUninteresting, r.Test, r.Input, r.describe(run))
	if run.Outcome != algo.Interesting {
		cause, err := r.Diagnosis().Why(ctx, run, r.Warn)
		if err != nil {
			return err
		}
		b.WriteString(cause)
	}
	copied := "copies of the files"
	if r.Input.Set == nil {
		copied = "a copy of the file"
	}
	where, here := "", ""
	if r.cluster != nil {
		where, here = fmt.Sprintf(" on the cluster %s,", r.Remote.Place()), " on this machine"
	}
	if r.Boxed() && r.cluster == nil {
		where = " in a sandbox (without it by --no-sandbox),"
	}
	fmt.Fprintf(&b, "It ran%s in a fresh directory that held nothing but %s. To repeat that%s:\n  %s\n",
		where, copied, here, r.byHand())
	return uninterestingError(b.String() + lastSaid("", run.Output))
}

func (r *Run) describe(run oracle.Run) string {
	switch {
	case run.TimedOut:
		return fmt.Sprintf("no answer within %v, see --timeout", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		return r.exceeded(run)
	case run.Signal != "":
		return "killed: " + run.Signal
	case run.Outcome == algo.Interesting:
		return "but does when asked again: the test is flaky"
	}
	return fmt.Sprintf("exit code %d; %v would be interesting", run.ExitCode, r.Spec.Interesting)
}

func (r *Run) exceeded(run oracle.Run) string {
	switch run.Exceeded {
	case oracle.MemoryLimit:
		return "killed: it used more than " + humanize.IBytes(r.Limits.Memory) + " of memory, see --memory-limit"
	case oracle.ProcessLimit:
		return fmt.Sprintf("killed: it had more than %d processes at once", oracle.MaxProcesses)
	case oracle.DiskLimit:
		return "killed: its files took more than " + humanize.IBytes(r.Limits.Disk) + ", see --disk-limit"
	case oracle.FileSizeLimit:
		return "killed: it wrote a file of more than " + humanize.IBytes(r.Limits.Disk) + ", see --disk-limit"
	}
	return ""
}

// ExplainUnknown adds reason and advice to a [*diagnose.UnknownError]; other errors stay.
func (r *Run) ExplainUnknown(ctx context.Context, err error) error {
	unknown := (*diagnose.UnknownError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	advice := fmt.Sprintf("  -> %s\n", unknown.Advice)
	if !unknown.Flaky {
		cause, err := r.Diagnosis().Why(ctx, unknown.Run, r.Warn)
		if err != nil {
			return err
		}
		advice = cmp.Or(cause, advice)
	}
	text := fmt.Sprintf("%v: %v\n%sTo repeat that:\n  %s", whittle.ErrUninteresting, unknown, advice, r.byHand())
	if len(bytes.TrimSpace(unknown.Run.Output)) > 0 {
		text += "\n" + lastSaid("", unknown.Run.Output)
	}
	return uninterestingError(text)
}

// byHand returns a shell command that tests the input as whittle does.
func (r *Run) byHand() string {
	home := cmp.Or(r.Spec.Home, filepath.Dir(r.Program()))
	var words []string
	for _, w := range r.Spec.Arguments() {
		words = append(words, shell.Quote(w))
	}
	if r.Spec.Stdin {
		words = append(words, "<"+shell.Quote(r.Spec.Layout.Name))
	}
	return fmt.Sprintf("cd \"$(mktemp -d)\" && %s && WHITTLE_TEST_DIR=%s %s; echo \"exit code $?\"",
		r.Input.CopyLine(), shell.Quote(home), strings.Join(words, " "))
}

// lastSaid describes the end of an output. where is "" or begins with a space.
func lastSaid(where string, output []byte) string {
	said := strings.TrimSpace(string(output))
	if cut := len(said) - shownBytes; cut > 0 {
		said = "..." + said[cut:]
	}
	if lines := strings.Split(said, "\n"); len(lines) > shownLines {
		said = strings.Join(lines[len(lines)-shownLines:], "\n")
	}
	if said = printable.String(said); said == "" {
		return "It said nothing" + where + "."
	}
	return "The last it said" + where + ":\n  " + strings.ReplaceAll(said, "\n", "\n  ")
}

func (r *Run) serverUninteresting(run oracle.Run) error {
	hint := "it must answer interesting"
	switch {
	case run.TimedOut:
		hint = "see --timeout"
	case run.Exceeded != oracle.NoLimit:
		hint = "see --memory-limit and --disk-limit"
	case run.Outcome == algo.Interesting:
		hint = "when asked again: the test is flaky"
	}
	return uninterestingError(fmt.Sprintf("%v: the test server %s does not find %s interesting (%s; %s)%s",
		whittle.ErrUninteresting, r.Test, r.Input.Paths[0], run.Reply, hint, r.askByHand(run.Output)))
}

// ExplainServer adds the server's output, and how to ask it by hand, to its error; other errors stay.
func (r *Run) ExplainServer(err error) error {
	var failure *server.Error
	if !errors.As(err, &failure) {
		return err
	}
	return oracle.Errorf("the test server %s failed: %s%s",
		r.Test, failure.Reason, r.askByHand(failure.Stderr))
}

// askByHand returns a shell command for a question, and the end of standard error.
func (r *Run) askByHand(stderr []byte) string {
	command := r.Test.Server
	if shell.Quote(command) != command { // several words
		command = "sh -c " + shell.Quote(command)
	}
	return fmt.Sprintf("\nTo ask it by hand:\n  cd %s && echo %s | WHITTLE_TEST_DIR=%[1]s %[3]s\n%[4]s",
		shell.Quote(r.Spec.Home), shell.Quote(r.Input.absolute()[0]), command, lastSaid(" on standard error", stderr))
}

// slowStart recommends a test server, once, if the command starts slowly.
type slowStart struct {
	began time.Time
	tests int
	done  bool
}

// A run is slow with less than one test per second and job after slowAfter.
const (
	slowAfter = 20 * time.Second
	slowTests = 5
)

func (s *slowStart) decided(r *Run, d whittle.Decision, now time.Time) string {
	if s.done || d.Replayed {
		return ""
	}
	if s.tests++; s.tests == 1 {
		s.began = now
	}
	elapsed := now.Sub(s.began)
	if s.tests < slowTests || elapsed < slowAfter || float64(s.tests) >= elapsed.Seconds()*float64(r.Jobs) {
		return ""
	}
	s.done = true
	return r.serverCommands()
}

func (r *Run) serverCommands() string {
	if !r.Test.Inline || r.Input.Set != nil || r.cluster != nil || r.Turn != nil {
		return ""
	}
	words := slices.Concat(r.Test.Argv[:1], r.Spec.Argv[1:])
	script, command, ok := serverscript.Command(words, r.Spec.Interesting)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s is slow to start; a test server starts it once:\n  whittle server-script %s >%s\n"+
		"  whittle reduce --server %s %s", words[0], script.Name, script.File, shell.Quote(command),
		shell.Quote(r.Input.Paths[0]))
}

func flakyPaths(out *output.Output) []string {
	return []string{out.Sidecar(".flaky-1.txt"), out.Sidecar(".flaky-2.txt")}
}

// contradicted reports two outcomes of a file, and writes their outputs.
func (r *Run) contradicted(x chain.Contradiction) {
	if r.Out == nil {
		return
	}
	paths := flakyPaths(r.Out)
	kept := fmt.Sprintf("%s and %s have the two outputs", paths[0], paths[1])
	first := "The file was interesting before, when the output of the test was not kept, and not again since.\n"
	if x.Recalled {
		first = outcomeText(x.Interesting)
	}
	err := errors.Join(output.WriteAnew(paths[0], first), output.WriteAnew(paths[1], outcomeText(x.Other)))
	if err != nil {
		kept = fmt.Sprintf("the two outputs cannot be kept: %v", err)
	}
	outcomes := "interesting once and once not"
	if x.Other.TimedOut {
		outcomes = "interesting once, and once ran out of time"
	}
	r.Warn(fmt.Sprintf("the test is flaky: the same %s bytes were %s; %s; continuing with %d confirmations",
		count(len(x.Candidate)), outcomes, kept, r.Chain.Confirmations()))
}

func outcomeText(run oracle.Run) string {
	outcome := "not interesting"
	if run.Outcome == algo.Interesting {
		outcome = "interesting"
	}
	return fmt.Sprintf("The file was %s (%s) after %v. The output of the test:\n%s",
		outcome, diagnose.Ending(run), run.Elapsed.Round(time.Millisecond), run.Output)
}
