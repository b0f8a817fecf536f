package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"whittle/internal/explain"

	"github.com/spf13/cobra"

	"whittle/internal/diagnose"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/trial"
)

func checkCommand() *cobra.Command {
	var f *flags
	c := &cobra.Command{
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
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.newCall(args)
			if err != nil {
				return err
			}
			return check(c.Context(), c.OutOrStdout(), f, call)
		},
	}
	f = newFlags(c, onCheck)
	return c
}

func check(ctx context.Context, w io.Writer, f *flags, call call) error {
	if err := f.check(); err != nil {
		return err
	}
	c, err := f.config(call.test)
	if err != nil {
		return err
	}
	s := run.New(ctx, c)
	defer s.Close()
	_, err = interrupt.Wait(ctx, func() (any, error) { return nil, checkTest(ctx, w, f, s, call) })
	return explain.Server(s, err)
}

// checkTest checks the test of a run.
func checkTest(ctx context.Context, w io.Writer, f *flags, s *run.Run, call call) error {
	r := findings{to: w}
	err := s.Read(call.inputs)
	if unfit := (*run.UnfitError)(nil); errors.As(err, &unfit) {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: unfit.Error()})
		return r.verdict(call)
	}
	if err != nil {
		return err
	}
	err = s.Start(ctx)
	if denied := (*trial.Error)(nil); errors.As(err, &denied) {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: denied.Error()})
		return r.verdict(call)
	}
	if err != nil {
		return err
	}
	r.tell(s.CheckSandbox())
	if s.Cluster() != nil {
		if err := s.CheckElsewhere(ctx, r.tell); err != nil {
			return err
		}
		if r.bad > 0 {
			return r.verdict(call)
		}
	}
	err = s.Recognise(ctx)
	if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: unknown.Error(),
			Advice: unknown.Advice})
		return r.verdict(call)
	}
	if err != nil {
		return err
	}
	if s.Failure.Title != "" {
		r.tell(diagnose.Finding{Text: "the failure is recognised by: " + s.Failure.Title})
	}
	if err := s.Locate(ctx); err != nil {
		return interrupt.Cause(ctx, err)
	}
	if text, stronger, err := explain.Weak(ctx, s); err != nil {
		return interrupt.Cause(ctx, err)
	} else if text != "" {
		r.tell(diagnose.Finding{Grade: diagnose.Note, Text: text, Advice: stronger})
	}
	test := s.Diagnosis()
	test.Spec.Afresh = true
	if err := test.Check(ctx, f.jobs, r.tell); err != nil {
		return err
	}
	if err := s.Input.CheckReading(r.tell); err != nil {
		return err
	}
	return r.verdict(call)
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

// verdict prints the last line.
func (r *findings) verdict(call call) error {
	if r.bad == 0 {
		_, err := fmt.Fprintf(r.to, "good: reduce with this test\n")
		return errors.Join(r.err, err)
	}
	_, err := fmt.Fprintf(r.to, "not good: fix it first\n")
	return errors.Join(r.err, err, nof("%s is not a good test for %s", call.test, strings.Join(call.inputs, ", ")))
}
