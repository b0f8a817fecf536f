package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/diagnose"
	"whittle/internal/explain"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
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
		err := interrupt.Do(ctx, func() error { return explain.Check(ctx, s.Run, s.inputs, r.tell) })
		if err != nil {
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
