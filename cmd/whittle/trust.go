package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"whittle/algo"
	"whittle/diagnose"
	"whittle/oracle"
	"whittle/sink"
)

// trustFlags say how far a test is trusted.
type trustFlags struct {
	repeat int
}

func (f *trustFlags) add(c *cobra.Command) {
	c.Flags().IntVar(&f.repeat, "repeat", 1, "take a candidate only if so many `tests` in a row find it interesting; the result is always tested again")
}

func (f *trustFlags) check() error {
	if f.repeat < 1 {
		return usagef("--repeat %d: a candidate must be tested at least once", f.repeat)
	}
	return nil
}

// trust asks a test again and tells when it changes its mind.
type trust struct {
	oracle.Confirmer
	spec oracle.Spec
	talk *talk
	out  *sink.Output // the two outputs go beside it
}

func newTrust(f trustFlags, test oracle.Test, t *talk, out *sink.Output) *trust {
	d := &trust{spec: test.Spec, talk: t, out: out}
	d.Confirmer = oracle.Confirmer{Executor: test.Executor, Repeat: f.repeat, Flaky: d.flaky}
	return d
}

// ask asks about a candidate.
func (t *trust) ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return oracle.Test{Spec: t.spec, Executor: &t.Confirmer}.Ask(ctx, candidate)
}

// again asks about a candidate that was interesting before.
func (t *trust) again(ctx context.Context, candidate []byte, least int) (algo.Outcome, error) {
	return t.Again(ctx, t.spec, candidate, least)
}

// flakyOutputs are what is behind the name of the result in those of two outputs of
// a flaky test.
var flakyOutputs = [...]string{".flaky-1.txt", ".flaky-2.txt"}

// flaky keeps the two outputs of a test that changed its mind.
func (t *trust) flaky(x oracle.Contradiction) {
	yes, no := t.out.Beside(flakyOutputs[0]), t.out.Beside(flakyOutputs[1])
	first := "The test said yes to this file before, when its output was not kept, and not again since.\n"
	if x.Recalled {
		first = runText(x.Yes)
	}
	kept := fmt.Sprintf("%s and %s have the two outputs", yes, no)
	if err := errors.Join(sink.WriteAnew(yes, first), sink.WriteAnew(no, runText(x.No))); err != nil {
		kept = fmt.Sprintf("the two outputs cannot be kept: %v", err)
	}
	answers := "yes and no to"
	if x.No.TimedOut {
		answers = "yes to, and ran out of time on,"
	}
	t.talk.line("the test is flaky: it said %s the same %s bytes; %s; going on with %d confirmations",
		answers, count(len(x.Candidate)), kept, t.Times())
}

// runText is a test's answer and what it said, for a file.
func runText(r oracle.Run) string {
	answer := "no"
	if r.Outcome == algo.Interesting {
		answer = "yes"
	}
	return fmt.Sprintf("The test said %s (%s) after %v. Its output:\n%s", answer, diagnose.Ending(r), r.Elapsed.Round(time.Millisecond), r.Output)
}

// refuted tells of a result that does not hold.
func (t *trust) refuted(file []byte) {
	t.talk.line("the result of %s bytes does not hold when it is tested again; going back to one that does", count(len(file)))
}
