package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"whittle"
	"whittle/algo"
	"whittle/internal/printable"
	"whittle/oracle"
)

// How much of a test's output an explanation shows.
const (
	shownLines = 20
	shownBytes = 2000
)

// explain runs the test of the input once more and tells what it said.
func explain(ctx context.Context, test oracle.Test, subject *subject, call call, talk *talk) error {
	command := subject.command
	run, err := test.Explain(ctx, subject.Bytes)
	if err != nil {
		return err
	}
	if call.server != "" {
		return call.explainServer(command, run)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s says no to %s as it is ", whittle.ErrUninteresting, call, subject)
	switch {
	case run.TimedOut:
		fmt.Fprintf(&b, "(no answer within %v, see --timeout)", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		fmt.Fprintf(&b, "(%s)", exceeded(run, command.Limits))
	case run.Signal != "":
		fmt.Fprintf(&b, "(killed: %s)", run.Signal)
	case run.Outcome == algo.Interesting:
		fmt.Fprint(&b, "(but yes when asked again: the test is flaky)")
	default:
		fmt.Fprintf(&b, "(exit code %d; %v would be yes)", run.ExitCode, command.Interesting)
	}
	b.WriteByte('\n')
	copied := "copies of the files"
	if subject.Set == nil {
		copied = "a copy of the file"
	}
	if run.Outcome != algo.Interesting {
		cause, err := why(ctx, newPatient(subject, call), run, talk.line)
		if err != nil {
			return err
		}
		b.WriteString(cause)
	}
	fmt.Fprintf(&b, "It ran in a fresh directory that held nothing but %s. To repeat that:\n  cd \"$(mktemp -d)\" && %s && WHITTLE_TEST_DIR=%s %s; echo \"exit code $?\"\n",
		copied, subject.copyLine(), quote(cmp.Or(command.Home, filepath.Dir(command.Argv[0]))), shellLine(command))
	if output := printable.String(lastLines(run.Output)); output != "" {
		fmt.Fprintf(&b, "The last it said:\n%s", indent(output))
	} else {
		fmt.Fprint(&b, "It said nothing.")
	}
	return uninteresting(b.String())
}

// uninteresting is ErrUninteresting with the reason.
type uninteresting string

func (u uninteresting) Error() string { return string(u) }
func (u uninteresting) Unwrap() error { return whittle.ErrUninteresting }

// lastLines gives the end of a text.
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

// shellLine is the command for a shell.
func shellLine(c *testCommand) string {
	var words []string
	for _, w := range c.Arguments() {
		words = append(words, quote(w))
	}
	if c.Stdin {
		words = append(words, "<"+quote(c.Name))
	}
	return strings.Join(words, " ")
}

// quote makes a word that a shell reads as s.
func quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@%", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
