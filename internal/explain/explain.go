// Package explain explains unexpected behaviour of a test, and gives advice.
package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/printable"
	"whittle/internal/run"
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

// Of returns a function that explains err by running tests, or nil if err needs no explanation.
func Of(r *run.Run, err error) func(context.Context) error {
	probe := (*run.SenselessError)(nil)
	switch {
	case errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky):
		return func(ctx context.Context) error {
			if err := r.Input.Kept(); err != nil && !r.Journal.Resumed {
				return err // an original from another test
			}
			return Uninteresting(ctx, r)
		}
	case errors.As(err, &probe):
		return func(ctx context.Context) error { return senseless(ctx, r, probe.Garbage) }
	}
	return nil
}

// Uninteresting tests the input again. Its error wraps [whittle.ErrUninteresting] and says why.
func Uninteresting(ctx context.Context, r *run.Run) error {
	run, err := r.Once().Explain(ctx, r.Input.Bytes)
	if err != nil {
		return err
	}
	if r.Test.Server != "" {
		return serverUninteresting(r, run)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s does not find %s interesting as it is (%s)\n",
		whittle.ErrUninteresting, r.Test, r.Input, describe(r, run))
	if run.Outcome != algo.Interesting {
		cause, err := cause(ctx, r, run)
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
	if r.Cluster() != nil {
		where, here = fmt.Sprintf(" on the cluster %s,", r.Place()), " on this machine"
	}
	if r.Boxed() && r.Cluster() == nil {
		where = " in a sandbox (without it by --no-sandbox),"
	}
	fmt.Fprintf(&b, "It ran%s in a fresh directory that held nothing but %s. To repeat that%s:\n  %s\n",
		where, copied, here, byHand(r))
	if output := printable.String(lastLines(run.Output)); output != "" {
		fmt.Fprintf(&b, "The last it said:\n%s", indent(output))
	} else {
		fmt.Fprint(&b, "It said nothing.")
	}
	return uninterestingError(b.String())
}

func describe(r *run.Run, run oracle.Run) string {
	switch {
	case run.TimedOut:
		return fmt.Sprintf("no answer within %v, see --timeout", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		return exceeded(r, run)
	case run.Signal != "":
		return "killed: " + run.Signal
	case run.Outcome == algo.Interesting:
		return "but does when asked again: the test is flaky"
	}
	return fmt.Sprintf("exit code %d; %v would be interesting", run.ExitCode, r.Spec.Interesting)
}

func exceeded(r *run.Run, run oracle.Run) string {
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

// Unknown adds reason and advice to a [*diagnose.UnknownError]; other errors stay.
func Unknown(ctx context.Context, r *run.Run, err error) error {
	unknown := (*diagnose.UnknownError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	advice := fmt.Sprintf("  -> %s\n", unknown.Advice)
	if !unknown.Flaky {
		cause, err := cause(ctx, r, unknown.Run)
		if err != nil {
			return err
		}
		advice = cmp.Or(cause, advice)
	}
	text := fmt.Sprintf("%v: %v\n%sTo repeat that:\n  %s", whittle.ErrUninteresting, unknown, advice, byHand(r))
	if output := printable.String(lastLines(unknown.Run.Output)); output != "" {
		text += "\nThe last it said:\n" + indent(output)
	}
	return uninterestingError(text)
}

// byHand returns a shell command that tests the input as whittle does.
func byHand(r *run.Run) string {
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

func lastLines(text []byte) string {
	s := strings.TrimSpace(string(text))
	if cut := len(s) - shownBytes; cut > 0 {
		s = "..." + s[cut:]
	}
	if lines := strings.Split(s, "\n"); len(lines) > shownLines {
		s = strings.Join(lines[len(lines)-shownLines:], "\n")
	}
	return s
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
