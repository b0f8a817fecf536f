package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/grammars"
	"whittle/internal/account"
	"whittle/internal/elsewhere"
	"whittle/internal/interrupt"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/usage"
)

// accountFlags are those of the commands that tell about a file as it is.
type accountFlags struct {
	runFlags
	guardFlags
	also     []string
	markdown string
	html     string
}

// addAccount adds those of both.
func (f *accountFlags) addAccount(c *cobra.Command) {
	c.Flags().SortFlags = false
	f.runFlags.add(c)
	f.guardFlags.add(c)
	c.Flags().StringSliceVar(&f.also, "also", nil, "ask these `compilers`, too, as gcc-11,gcc-13,clang-16")
	usage.Group(c.Flags(), usage.Test, "also")
	for _, name := range []string{"server", "valid", "no-valid", "jobs"} {
		c.Flags().MarkHidden(name)
	}
}

// addReport adds those that say where a report goes.
func (f *accountFlags) addReport(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.markdown, "output", "o", "", "write the report to this `path` (default standard output)")
	flags.StringVar(&f.html, "html", "", "write the report as a page to this `path`, too")
	usage.Group(flags, usage.Output, "output", "html")
}

func reportCommand() *cobra.Command {
	var f accountFlags
	c := &cobra.Command{
		Use:   "report [flags] FILE... -- COMMAND [ARG]...",
		Short: "Report on FILE as it is, to paste into a bug report",
		Long: `Report on FILE as it is: what COMMAND makes of it, what other compilers of this
machine do, and where the bug is, as far as the compiler can tell.

The report is Markdown that can be pasted. With --html it is a page, too, that needs
nothing but itself. 'whittle --report' makes both at the end of a reduction.

Exit codes: 0 FILE fails, and the report is written; 1 FILE does not fail; 2 wrong
usage; 3 the environment failed; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle report small.c -- gcc-12 -O2 -c {}\n" +
			"  whittle report --html small.html --also gcc-13 small.c -- gcc-12 -O2 -c {}",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.newCall(c.Name(), args, c.ArgsLenAtDash(), "")
			if err != nil {
				return err
			}
			return f.report(c.Context(), call)
		},
	}
	f.addAccount(c)
	f.addReport(c)
	f.runFlags.addReport(c)
	return c
}

func bisectCommand() *cobra.Command {
	var f accountFlags
	c := &cobra.Command{
		Use:   "bisect [flags] FILE... -- COMMAND [ARG]...",
		Short: "Find the pass of a compiler that has a bug",
		Long: `Find the place of a bug in a compiler by experiments, on FILE as it is: the first
bad pass where the compiler counts its passes (clang, opt, llc, rustc), the pass that
crashes, the optimisation and the counter that matter (gcc), the lowest level of
optimisation, and the versions on this machine that have it.

Exit codes: 0 something was found; 1 nothing was, or FILE does not fail; 2 wrong
usage; 3 the environment failed; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle bisect small.c -- clang-16 -O2 -c {}\n" +
			"  whittle bisect small.c --differs 'clang-16 -O0 {}' 'clang-16 -O2 {}'",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.newCall(c.Name(), args, c.ArgsLenAtDash(), "")
			if err != nil {
				return err
			}
			return f.bisect(c.Context(), c.OutOrStdout(), call)
		},
	}
	f.addAccount(c)
	f.runFlags.addReport(c)
	return c
}

// How many runs of the compiler a bisection may take, for a report and on its own.
const (
	reportRuns = 32
	bisectRuns = 1000
)

// report is the command.
func (f *accountFlags) report(ctx context.Context, call call) error {
	facts, err := f.ask(ctx, call, reportRuns)
	if err != nil {
		return err
	}
	facts.Whittle = versionText()
	told := &reporter{quiet: f.quiet, out: os.Stderr}
	return account.Write(facts, output.Report{Path: cmp.Or(f.markdown, "-")}, output.Report{Path: f.html}, told.moved)
}

// bisect is the command.
func (f *accountFlags) bisect(ctx context.Context, w io.Writer, call call) error {
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
		return nof("%s says nothing of the place of the bug", call.test)
	}
	return nil
}

// ask finds out what is to be told of a file.
func (f *accountFlags) ask(ctx context.Context, call call, runs int) (report.Facts, error) {
	if err := f.runFlags.check(); err != nil {
		return report.Facts{}, err
	}
	s, err := f.begin(ctx, call.test)
	if err != nil {
		return report.Facts{}, err
	}
	defer s.Close()
	return interrupt.Wait(ctx, func() (report.Facts, error) { return f.find(ctx, s, call, runs) })
}

// find finds out what is to be told of a file, in a session.
func (f *accountFlags) find(ctx context.Context, s *run.Run, call call, runs int) (report.Facts, error) {
	if err := f.open(s, call); err != nil {
		return report.Facts{}, err
	}
	r := newReporter(f.runFlags, s.Input.String())
	defer r.end()
	s.Warn = func(text string) { r.line("%s", text) }
	names := s.Names()
	err := cmp.Or(names.Claim("--output", f.markdown, "the report"), names.Claim("--html", f.html, "the page"))
	if err != nil {
		return report.Facts{}, err
	}
	if err := s.Start(ctx); err != nil {
		return report.Facts{}, err
	}
	if err := s.Prepare(ctx, false); err != nil && !run.EndsWell(err) {
		return report.Facts{}, s.ExplainUnknown(ctx, err)
	}
	o := account.Options{Also: f.also, Runs: runs, Failure: s.Failure.Signature, Doing: r.step}
	facts, err := account.Of(ctx, s, o)
	if none := (*account.NoFailureError)(nil); errors.As(err, &none) {
		err = nof("%w", err)
	}
	facts.Again = again()
	return facts, err
}

// tell writes the report on a reduction, and says where it is.
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
		r.report.line("there was no time for the report; 'whittle report' makes one")
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

// again is the command line, for a shell.
func again() string {
	return shell.Join(slices.Concat([]string{"whittle"}, elsewhere.WithoutSecrets(os.Args[1:])))
}

// open reads the file of a session and finds the test.
func (f *accountFlags) open(s *run.Run, call call) error {
	in, err := output.NewInput(false, call.inputs...)
	if err != nil {
		return err
	}
	var input *run.Input
	if in.Several() {
		input, err = s.ReadAll(in)
	} else {
		input, err = s.ReadFile(in, "to report on", grammars.ForFile)
	}
	if err != nil {
		return err
	}
	if err := f.runFlags.find(s, input); err != nil {
		return err
	}
	s.MakeAvailable()
	return nil
}
