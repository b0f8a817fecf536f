package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/diagnose"
	"whittle/internal/advice"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/reading"
	"whittle/internal/session"
)

func checkCommand() *cobra.Command {
	var f reduceFlags
	c := &cobra.Command{
		Use: "check [flags] TEST FILE...\n" +
			"  whittle check [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle check [flags] --server COMMAND FILE...",
		Short: "Find out whether TEST is any good",
		Long: `Find out whether TEST is any good to reduce FILE by.

It runs the test as 'whittle reduce' would, some dozen times: on FILE, on an empty
file, on garbage, several at once. Where the answer is wrong, it finds out why by
experiments: it runs the test with one thing changed, and sees whether that turns
the answer round. Files of yours that a test may need are copied for it.

The findings go to stdout, a line each, which begins with ok, note or bad; below a
line stands what to do. The last line is the verdict.

It takes all flags of 'whittle reduce', so that a command line works for both; those
that say nothing about the test have no effect.

Exit codes: 0 the test is good; 1 it is not; 2 wrong usage; 3 the environment
failed, for example by a full disk; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle check test.sh small.c\n" +
			"  whittle check small.c -- gcc -O2 -c {}",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := newCall(c.Name(), args, c.ArgsLenAtDash(), f.server)
			if err != nil {
				return err
			}
			return check(c.Context(), c.OutOrStdout(), f, call)
		},
	}
	f.add(c)
	for _, name := range []string{
		"driver", "algorithm", "output", "report", "also", "in-place", "width", "wide", "p0", "seed", "max-tests", "max-time",
		"target-tokens", "journal", "no-journal", "keep-journal", "fresh", "repeat", "stats", "trace", "trace-diffs", "plain",
		"verbose", "quiet",
	} {
		c.Flags().MarkHidden(name)
	}
	return c
}

// check is the command.
func check(ctx context.Context, w io.Writer, f reduceFlags, call call) error {
	r := findings{to: w}
	s, err := f.open(ctx, call)
	if unfit := (*session.UnfitError)(nil); errors.As(err, &unfit) {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: unfit.Error()})
		return r.verdict(call)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Start(ctx); err != nil {
		return err
	}
	if s.Cluster() != nil {
		if err := s.CheckElsewhere(ctx, r.tell); err != nil {
			return interrupt.Cause(ctx, err)
		}
		if r.bad > 0 {
			return r.verdict(call)
		}
	}
	err = s.Recognise(ctx)
	if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: unknown.Error(),
			Advice: "say what is interesting by --interesting-output, --interesting-exit, or a TEST of your own"})
		return r.verdict(call)
	}
	if err != nil {
		return interrupt.Cause(ctx, err)
	}
	if s.Failure.Title != "" {
		r.tell(diagnose.Finding{Text: "its failure is known by: " + s.Failure.Title})
	}
	test := s.Diagnosis()
	test.Spec.Afresh = true
	if err := test.Check(ctx, f.jobs, r.tell); err != nil {
		return advice.ServerFailure(s, interrupt.Cause(ctx, err))
	}
	if err := r.rendering(ctx, s.Input); err != nil {
		return interrupt.Cause(ctx, err)
	}
	return r.verdict(call)
}

// findings prints them.
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

// rendering checks that an untouched tree is the file, and reports syntax errors.
func (r *findings) rendering(ctx context.Context, in *session.Input) error {
	read, err := interrupt.Wait(ctx, func() (reading.Report, error) { return reading.Of(in.Language, in.Bytes) })
	if err != nil {
		return err
	}
	if !read.Same {
		r.tell(diagnose.Finding{
			Grade:  diagnose.Bad,
			Text:   fmt.Sprintf("whittle cannot give %s back as it is, read as %s", in, in.ReadBy()),
			Advice: "read it by another language, as --language structure; and tell us of this file",
		})
		return nil
	}
	took := read.Elapsed.Round(100 * time.Microsecond)
	r.tell(diagnose.Finding{Text: fmt.Sprintf("read as %s in %v, %s has %s, and whittle gives it back byte for byte",
		in.ReadBy(), took, in, english.Plural(read.Weight, "token", ""))})
	if read.Errors > 0 {
		r.tell(diagnose.Finding{
			Grade: diagnose.Note,
			Text: fmt.Sprintf("%s has %s as %s; candidates have no more",
				in, english.Plural(read.Errors, "syntax error", ""), in.ReadBy()),
			Advice: "if it is of another language, say so by --language or --grammar",
		})
	}
	return nil
}

// verdict ends the report.
func (r *findings) verdict(call call) error {
	if r.bad == 0 {
		_, err := fmt.Fprintf(r.to, "good: reduce by this test\n")
		return errors.Join(r.err, err)
	}
	_, err := fmt.Fprintf(r.to, "not good: mend it first\n")
	return errors.Join(r.err, err, nof("%s is not a good test for %s", call.test, strings.Join(call.inputs, ", ")))
}
