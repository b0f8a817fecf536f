package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/local"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/oracle"
)

func checkCommand() *cobra.Command {
	return withRun(onCheck, &cobra.Command{
		Use: "check [flags] TEST FILE...\n" +
			"  whittle check [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle check [flags] --server COMMAND FILE...",
		Short: "Find out whether TEST is any good",
		Long: `Check whether TEST is a good test for reducing FILE.

whittle runs the test as 'whittle reduce' does, some dozen times: on FILE, on an empty
file, on garbage, and several at once. If an answer is wrong, it looks for the cause by
experiments: it changes one condition at a time, and checks whether the answer changes.
For this it copies files of yours that the test may need.

The findings go to stdout, one per line: ok, note or bad, then the finding. Advice
follows on the next line. The last line is the verdict.

check accepts all flags of 'whittle reduce', so that the same command line works for
both. Flags that do not affect the test have no effect.

Exit codes: 0 the test is good; 1 it is not; 2 wrong usage; 3 the environment
failed, such as a full disk; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle check test.sh small.c\n" +
			"  whittle check small.c -- gcc -O2 -c {}",
	}, func(ctx context.Context, s *session) error {
		r := findings{to: s.out}
		err := run.Do(ctx, func() error { return s.Check(ctx, s.inputs, r.tell) })
		if diagnose.CannotStart(err) || errors.As(err, new(*local.UnfitError)) {
			r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: err.Error()})
		} else if err != nil {
			return err
		}
		return r.verdict("reduce", fmt.Sprintf("%s is not a good test for %s", s.Test, strings.Join(s.inputs, ", ")))
	})
}

// findings prints findings and counts the bad ones.
type findings struct {
	to  io.Writer
	bad int
	err error
}

func (r *findings) tell(f diagnose.Finding) {
	if f.Grade == diagnose.Bad {
		r.bad++
	}
	_, err := fmt.Fprintf(r.to, "%-5s %s\n", f.Grade, printable.String(f.Text))
	if err == nil && f.Advice != "" {
		_, err = fmt.Fprintf(r.to, "      -> %s\n", printable.String(f.Advice))
	}
	r.err = errors.Join(r.err, err)
}

// verdict prints the last line. Its error is the reason if there are bad findings.
func (r *findings) verdict(do, reason string) error {
	if r.bad == 0 {
		_, err := fmt.Fprintf(r.to, "good: %s with this test\n", do)
		return errors.Join(r.err, err)
	}
	_, err := fmt.Fprintf(r.to, "not good: fix it first\n")
	return errors.Join(r.err, err, nof("%s", reason))
}

// checks is the number of tests of each version.
const checks = 3

// check only checks that the test tells the versions apart. Findings are printed like those of
// 'whittle check'.
func (i *isolating) check(ctx context.Context) error {
	i.report.end()
	r := findings{to: i.out}
	var is [2]algo.Outcome
	old, new := algo.Uninteresting, algo.Interesting
	if i.InOld {
		old, new = new, old
	}
	words := map[algo.Outcome]string{algo.Interesting: "interesting", algo.Uninteresting: "uninteresting",
		algo.Unresolved: "unresolved"}
	if i.Failure.Title != "" {
		words = map[algo.Outcome]string{algo.Interesting: "failing", algo.Uninteresting: "passing",
			algo.Unresolved: "failing in another way"}
	}
	for n, v := range []struct {
		name string
		file []byte
		want algo.Outcome
	}{{i.Pair.Good, i.Pair.GoodFile(), old}, {i.Pair.Bad, i.Pair.Input.Bytes, new}} {
		outcomes := map[algo.Outcome]int{}
		var run oracle.Run
		began := time.Now()
		for range checks {
			var err error
			if run, err = i.Once().Explain(ctx, v.file); err != nil {
				return err
			}
			outcomes[run.Outcome]++
		}
		is[n] = run.Outcome
		f := diagnose.Finding{Text: fmt.Sprintf("%s is %s, %d times of %d (%s), %v each", v.name, words[run.Outcome],
			outcomes[run.Outcome], checks, diagnose.Ending(run), (time.Since(began) / checks).Round(time.Millisecond))}
		if outcomes[v.want] < checks {
			f.Grade = diagnose.Bad
			f.Advice = fmt.Sprintf("it must be %s each time", words[v.want])
		}
		r.tell(f)
	}
	if !i.Test.Inline && is == [2]algo.Outcome{algo.Interesting, algo.Uninteresting} {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: "OLD and NEW are swapped, or the test says the opposite",
			Advice: "whittle isolate TEST NEW OLD"})
	}
	r.tell(diagnose.Finding{Text: fmt.Sprintf("from %s to %s there are %s", i.Pair.Good, i.Pair.Bad,
		i.changes(i.Pair.Changes.Left(algo.All(i.Pair.Changes.Count))))})
	return r.verdict("isolate", fmt.Sprintf("%s does not tell %s and %s apart", i.Test, i.Pair.Good, i.Pair.Bad))
}

func testCommand() *cobra.Command {
	return withRun(onTest, &cobra.Command{
		Use: "test [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle test [flags] FILE... --differs COMMAND COMMAND",
		Short: "Write the test that COMMAND stands for as a script",
		Long: `Write the test that whittle derives from COMMAND to stdout, as a script.

whittle runs the command as 'whittle FILE... -- COMMAND' does, to find out how to recognise
its failure and how to check that a result is valid. The script runs in a directory that
contains the candidate, named like FILE. It prints nothing, and exits with 0 if the
candidate is interesting: a test for whittle, C-Vise and C-Reduce, which you can edit.

Exit codes: 0 the script was written; 1 the failure cannot be told from that of an empty
file; 2 wrong usage; 3 the environment failed; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle test small.c -- gcc -O2 -c {} >test.sh && chmod +x test.sh\n" +
			"  cvise test.sh small.c",
	}, func(ctx context.Context, s *session) error {
		if !s.Test.Inline && s.Test.Differs == nil {
			return usagef("test needs a command; for example: whittle test small.c -- gcc -c {} >test.sh")
		}
		text, err := run.Wait(ctx, func() ([]byte, error) { return s.Script(ctx, s.inputs) })
		if err == nil {
			_, err = s.out.Write(text)
		}
		return err
	})
}
