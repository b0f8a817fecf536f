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

	"whittle"
	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/server"
	"whittle/internal/serverscript"
	"whittle/internal/shell"
	"whittle/oracle"
)

// An uninterestingError is an explained [whittle.ErrUninteresting].
type uninterestingError string

func (e uninterestingError) Error() string { return string(e) }
func (e uninterestingError) Unwrap() error { return whittle.ErrUninteresting }

// Explain returns a function that explains err by running tests, or nil if err needs no explanation.
func (r *Run) Explain(err error) func(context.Context) error {
	probe := (*diagnose.SenselessError)(nil)
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
	if o := r.Chain.Odds(); o.With.Yes > 0 && !o.Steady() {
		return uninterestingError(fmt.Sprintf("%v: %s %s; %s", whittle.ErrUninteresting, r.Input, diagnose.Rates(o),
			diagnose.Same(o)))
	}
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
		cause, err := r.Diagnosis().Why(ctx, run)
		if err != nil {
			return err
		}
		b.WriteString(cause)
		if inside := r.inRoot(ctx); inside {
			fmt.Fprintf(&b, "  -> it does in the root of %[1]s: whittle %[1]s -- %[2]s\n", shell.Quote(r.Input.Paths[0]),
				shell.Quote(r.Program()))
		}
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
	return uninterestingError(b.String() + diagnose.Said("", run.Output))
}

// inRoot reports whether a script finds the only directory interesting from inside.
func (r *Run) inRoot(ctx context.Context) bool {
	test := r.Once()
	layout, ok := r.Input.RootLayout()
	if test.Spec.Layout = layout; r.Test.Inline || r.cluster != nil || !ok {
		return false
	}
	outcome, err := test.Ask(ctx, r.Input.Bytes)
	return outcome == algo.Interesting && err == nil
}

func (r *Run) describe(run oracle.Run) string {
	switch {
	case run.TimedOut:
		return fmt.Sprintf("no answer within %v, see --timeout", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		return diagnose.Exceeded(run, r.Limits)
	case run.Signal != "":
		return "killed: " + run.Signal
	case run.Outcome == algo.Interesting:
		return "but does when asked again: the test is flaky"
	}
	return fmt.Sprintf("exit code %d; %v would be interesting", run.ExitCode, r.Spec.Interesting)
}

// ExplainUnknown adds reason and advice to a [*diagnose.UnknownError]; other errors stay.
func (r *Run) ExplainUnknown(ctx context.Context, err error) error {
	unknown := (*diagnose.UnknownError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	advice := fmt.Sprintf("  -> %s\n", cmp.Or(r.missing(unknown.Run), unknown.Advice))
	if !unknown.Final {
		cause, err := r.Diagnosis().Why(ctx, unknown.Run)
		if err != nil {
			return err
		}
		advice = cmp.Or(cause, advice)
	}
	text := fmt.Sprintf("%v: %v\n%sTo repeat that:\n  %s", whittle.ErrUninteresting, unknown, advice, r.byHand())
	if len(bytes.TrimSpace(unknown.Run.Output)) > 0 {
		text += "\n" + diagnose.Said("", unknown.Run.Output)
	}
	return uninterestingError(text)
}

// missing returns advice if a command does not find a file which is in the current directory, or "".
func (r *Run) missing(run oracle.Run) string {
	path := failure.MissingPath(string(run.Output), r.Input.Paths)
	if path != "" && r.Test.Inline && r.Input.Project == nil {
		return path + " is missing where COMMAND runs, in a fresh directory; give its absolute path"
	}
	return ""
}

// byHand returns a shell command that tests the input as whittle does.
func (r *Run) byHand() string {
	return fmt.Sprintf("cd \"$(mktemp -d)\" && %s && %s; echo \"exit code $?\"", r.Input.CopyLine(), r.InShell(r.Spec))
}

// InShell returns a shell command that tests the candidate in the current directory.
func (r *Run) InShell(spec oracle.Spec) string {
	home := cmp.Or(r.Spec.Home, filepath.Dir(r.Program()))
	var words []string
	for _, w := range spec.ArgumentsIn(shell.Here) {
		words = append(words, shell.Quote(w))
	}
	if spec.Stdin {
		words = append(words, "<"+shell.Quote(spec.Layout.Name))
	}
	return fmt.Sprintf("WHITTLE_TEST_DIR=%s %s", shell.Quote(home), strings.Join(words, " "))
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
		shell.Quote(r.Spec.Home), shell.Quote(r.Input.absolute()[0]), command, diagnose.Said(" on standard error", stderr))
}

// recommendServer recommends a test server for a command that starts slowly.
func (r *Run) recommendServer() {
	if !r.Test.Inline || r.Input.Set != nil || r.cluster != nil || r.Turn != nil {
		return
	}
	words := slices.Concat(r.Test.Argv[:1], r.Spec.Argv[1:])
	script, command, ok := serverscript.Command(words, r.Spec.Interesting)
	if !ok {
		return
	}
	r.Warn(fmt.Sprintf("%s is slow to start; a test server starts it once:\n  whittle server-script %s >%s\n"+
		"  whittle reduce --server %s %s", words[0], script.Name, script.File, shell.Quote(command),
		shell.Quote(r.Input.Paths[0])))
}
