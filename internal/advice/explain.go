// Package advice says why a test does not do what it should, as far as that can be
// found out, and what to do about it.
package advice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"whittle"
	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/oracle"
)

// How much of a test's output an explanation shows.
const (
	shownLines = 20
	shownBytes = 2000
)

// A Case is a test that did not do what it should.
type Case struct {
	*run.Run
	// Exceeded says in the user's words which limit a test was killed for.
	Exceeded func(oracle.Run) string
	// Tell prints what is going on; nil is a warning of the session.
	Tell func(format string, args ...any)
}

// uninteresting is ErrUninteresting with the reason.
type uninteresting string

func (u uninteresting) Error() string { return string(u) }
func (u uninteresting) Unwrap() error { return whittle.ErrUninteresting }

// Uninteresting tests the input once more and returns an error that says why it is
// not interesting, and wraps [whittle.ErrUninteresting].
func (c Case) Uninteresting(ctx context.Context) error {
	run, err := c.Once().Explain(ctx, c.Input.Bytes)
	if err != nil {
		return err
	}
	if c.Test.Server != "" {
		return c.serverUninteresting(run)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s does not find %s interesting as it is ", whittle.ErrUninteresting, c.Test, c.Input)
	switch {
	case run.TimedOut:
		fmt.Fprintf(&b, "(no answer within %v, see --timeout)", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		fmt.Fprintf(&b, "(%s)", c.Exceeded(run))
	case run.Signal != "":
		fmt.Fprintf(&b, "(killed: %s)", run.Signal)
	case run.Outcome == algo.Interesting:
		fmt.Fprint(&b, "(but does when asked again: the test is flaky)")
	default:
		fmt.Fprintf(&b, "(exit code %d; %v would be interesting)", run.ExitCode, c.Spec.Interesting)
	}
	b.WriteByte('\n')
	if run.Outcome != algo.Interesting {
		cause, err := c.cause(ctx, run)
		if err != nil {
			return err
		}
		b.WriteString(cause)
	}
	copied := "copies of the files"
	if c.Input.Set == nil {
		copied = "a copy of the file"
	}
	where, here := "", ""
	if c.Cluster() != nil {
		where, here = fmt.Sprintf(" on the cluster %s,", c.Place()), " on this machine"
	}
	if c.Boxed() && c.Cluster() == nil {
		where = " in a sandbox (without it by --no-sandbox),"
	}
	fmt.Fprintf(&b, "It ran%s in a fresh directory that held nothing but %s. To repeat that%s:\n  %s\n",
		where, copied, here, c.byHand())
	if output := printable.String(lastLines(run.Output)); output != "" {
		fmt.Fprintf(&b, "The last it said:\n%s", indent(output))
	} else {
		fmt.Fprint(&b, "It said nothing.")
	}
	return uninteresting(b.String())
}

// Unknown returns err, and if that is a [*diagnose.UnknownError], says why nothing tells the
// input from others.
func (c Case) Unknown(ctx context.Context, err error) error {
	unknown := (*diagnose.UnknownError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	advice := fmt.Sprintf("  -> %s\n", unknown.Advice)
	if !unknown.Flaky {
		cause, err := c.cause(ctx, unknown.Run)
		if err != nil {
			return err
		}
		advice = cmp.Or(cause, advice)
	}
	text := fmt.Sprintf("%v: %v\n%sTo repeat that:\n  %s", whittle.ErrUninteresting, unknown, advice, c.byHand())
	if output := printable.String(lastLines(unknown.Run.Output)); output != "" {
		text += "\nThe last it said:\n" + indent(output)
	}
	return uninteresting(text)
}

// byHand returns a line for a shell that runs the test on the input as whittle does.
func (c Case) byHand() string {
	home := cmp.Or(c.Spec.Home, filepath.Dir(c.Program()))
	return fmt.Sprintf("cd \"$(mktemp -d)\" && %s && WHITTLE_TEST_DIR=%s %s; echo \"exit code $?\"",
		c.Input.CopyLine(), shell.Quote(home), c.line())
}

// line returns the test's command for a shell.
func (c Case) line() string {
	var words []string
	for _, w := range c.Spec.Arguments() {
		words = append(words, shell.Quote(w))
	}
	if c.Spec.Stdin {
		words = append(words, "<"+shell.Quote(c.Spec.Layout.Name))
	}
	return strings.Join(words, " ")
}

// lastLines returns the end of a text.
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
