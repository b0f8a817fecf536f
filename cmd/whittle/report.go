package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"whittle/internal/explain"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/internal/account"
	"whittle/internal/interrupt"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/remoteflags"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/internal/shell"
)

func reportCommand() *cobra.Command {
	var f *flags
	c := &cobra.Command{
		Use:   "report [flags] FILE... -- COMMAND [ARG]...",
		Short: "Report on FILE as it is, to paste into a bug report",
		Long: `Report on FILE as it is: the output of COMMAND, the results of other compilers on this
machine, and the location of the bug, if the compiler can tell.

The report is Markdown, to paste into a bug report. With --html whittle also writes a
self-contained web page. 'whittle --report' writes both after a reduction.

Exit codes: 0 FILE fails, and the report is written; 1 FILE does not fail; 2 wrong
usage; 3 the environment failed; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle report small.c -- gcc-12 -O2 -c {}\n" +
			"  whittle report --html small.html --also gcc-13 small.c -- gcc-12 -O2 -c {}",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.newCall(args)
			if err != nil {
				return err
			}
			return f.report(c.Context(), call)
		},
	}
	f = newFlags(c, onReport)
	return c
}

func bisectCommand() *cobra.Command {
	var f *flags
	c := &cobra.Command{
		Use:   "bisect [flags] FILE... -- COMMAND [ARG]...",
		Short: "Find the pass of a compiler that has a bug",
		Long: `Find the location of a compiler bug by experiments on FILE as it is: the first bad
pass if the compiler counts its passes (clang, opt, llc, rustc), the pass that crashes,
the optimisation and the counter that matter (gcc), the lowest optimisation level, and
the installed versions with the bug.

Exit codes: 0 something was found; 1 nothing was found, or FILE does not fail; 2 wrong
usage; 3 the environment failed; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle bisect small.c -- clang-16 -O2 -c {}\n" +
			"  whittle bisect small.c --differs 'clang-16 -O0 {}' 'clang-16 -O2 {}'",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.newCall(args)
			if err != nil {
				return err
			}
			return f.bisect(c.Context(), c.OutOrStdout(), call)
		},
	}
	f = newFlags(c, onBisect)
	return c
}

// The maximal number of compiler runs of a bisection, for a report and for the bisect command.
const (
	reportRuns = 32
	bisectRuns = 1000
)

func (f *flags) report(ctx context.Context, call call) error {
	facts, err := f.ask(ctx, call, reportRuns)
	if err != nil {
		return err
	}
	facts.Whittle = versionText()
	told := &reporter{quiet: f.quiet, out: os.Stderr}
	return account.Write(facts, output.Report{Path: cmp.Or(f.output, "-")}, output.Report{Path: f.html}, told.moved)
}

func (f *flags) bisect(ctx context.Context, w io.Writer, call call) error {
	facts, err := f.ask(ctx, call, bisectRuns)
	if err != nil {
		return err
	}
	for _, x := range facts.Where {
		if _, err := fmt.Fprintf(printable.NewWriter(w), "%s: %s\n", x.Name, x.Text); err != nil {
			return err
		}
	}
	if len(facts.Where) == 0 {
		return nof("%s does not tell the location of the bug", call.test)
	}
	return nil
}

// ask opens a run and collects the facts about a file.
func (f *flags) ask(ctx context.Context, call call, runs int) (report.Facts, error) {
	if err := f.check(); err != nil {
		return report.Facts{}, err
	}
	c, err := f.config(call.test)
	if err != nil {
		return report.Facts{}, err
	}
	r := newReporter(f.verbose, f.quiet, strings.Join(call.inputs, ", "))
	defer r.end()
	c.Warn = r.warn
	s := run.New(ctx, c)
	defer s.Close()
	return interrupt.Wait(ctx, func() (report.Facts, error) { return f.collect(ctx, s, r, call.inputs, runs) })
}

// collect collects the facts about a file in a run.
func (f *flags) collect(
	ctx context.Context, s *run.Run, r *reporter, inputs []string, runs int,
) (report.Facts, error) {
	if err := s.ReadFor("to report on", inputs); err != nil {
		return report.Facts{}, err
	}
	names := s.Names()
	err := cmp.Or(names.Claim("--output", f.output, "the report"), names.Claim("--html", f.html, "the page"))
	if err != nil {
		return report.Facts{}, err
	}
	if err := s.Start(ctx); err != nil {
		return report.Facts{}, err
	}
	if err := s.Prepare(ctx, false); err != nil && !run.EndsWell(err) {
		return report.Facts{}, explain.Unknown(ctx, s, err)
	}
	o := account.Options{Also: f.also, Runs: runs, Failure: s.Failure.Signature, Doing: r.step}
	facts, err := account.Of(ctx, s, o)
	if none := (*account.NoFailureError)(nil); errors.As(err, &none) {
		err = nof("%w", err)
	}
	facts.Again = again()
	return facts, err
}

// tell writes the report on a reduction and prints its path.
func (r *reducing) tell(ctx context.Context, result whittle.Result) error {
	if !r.flags.reports || r.Best() == nil {
		return nil
	}
	r.report.reopen()
	o := account.Options{Also: r.flags.also, Runs: reportRuns, Doing: r.report.step}
	facts, err := interrupt.Wait(ctx, func() (report.Facts, error) {
		return account.OfReduction(ctx, interrupt.Late(ctx), r.Run, result, o)
	})
	r.report.end()
	if err != nil && ctx.Err() != nil {
		r.report.line("no time left for the report; run 'whittle report'")
		return nil
	}
	if err != nil {
		return err
	}
	facts.Whittle, facts.Again = versionText(), again()
	to := r.Out.Reports()
	if err = account.Write(facts, to[0], to[1], r.report.moved); err == nil {
		r.report.line("%s and %s have the report", printable.Line(to[0].Path), printable.Line(to[1].Path))
	}
	return err
}

// again returns the command line in shell syntax.
func again() string {
	return shell.Join(slices.Concat([]string{"whittle"}, remoteflags.WithoutSecrets(os.Args[1:])))
}
