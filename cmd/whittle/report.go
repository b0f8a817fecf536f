package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/internal/account"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/remoteflags"
	"whittle/internal/report"
	"whittle/internal/repro"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/stage"
)

func reportCommand() *cobra.Command {
	return withRun(onReport, &cobra.Command{
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
	}, func(ctx context.Context, s *session) error {
		facts, err := s.ask(ctx, reportRuns)
		if err != nil {
			return err
		}
		s.report.end()
		to, page := output.Report{Path: cmp.Or(s.Output, "-")}, output.Report{Path: s.flags.html}
		return account.Write(facts, to, page, s.WarnMoved)
	})
}

func bisectCommand() *cobra.Command {
	return withRun(onBisect, &cobra.Command{
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
	}, func(ctx context.Context, s *session) error {
		facts, err := s.ask(ctx, bisectRuns)
		if err != nil {
			return err
		}
		s.report.end()
		for _, x := range facts.Where {
			if _, err := fmt.Fprintf(printable.NewWriter(s.out), "%s: %s\n", x.Name, x.Text); err != nil {
				return err
			}
		}
		if len(facts.Where) == 0 {
			return nof("%s does not tell the location of the bug", s.Test)
		}
		return nil
	})
}

// The maximal number of compiler runs of a bisection, for a report and for the bisect command.
const reportRuns, bisectRuns = 32, 1000

func (s *session) ask(ctx context.Context, runs int) (facts report.Facts, err error) {
	return run.Wait(ctx, func() (report.Facts, error) {
		if err := s.ReadFor("to report on", s.inputs); err != nil {
			return facts, err
		}
		names := s.Names()
		err := cmp.Or(names.Claim("--output", s.Output, "the report"), names.Claim("--html", s.flags.html, "the page"))
		if err == nil {
			err = s.Start(ctx)
		}
		if err != nil {
			return facts, err
		}
		if err := s.Prepare(ctx, false); err != nil && !run.EndsWell(err) {
			return facts, s.ExplainUnknown(ctx, err)
		}
		o := account.Options{Also: s.flags.also, Runs: runs, Doing: s.report.step}
		facts, err := account.Of(ctx, s.Run, o)
		return about(facts), err
	})
}

// tell writes the report on a reduction and prints its path.
func (r *reducing) tell(ctx context.Context, result whittle.Result) error {
	replaced := r.ahead || r.Deleted(result) || r.next != nil && r.next.Out.Path == r.Out.Path
	if !r.Report || r.Best() == nil || r.Input.Shared && replaced {
		return nil
	}
	r.report.course.Restart("writing a report")
	r.report.follow()
	o := account.Options{Also: r.flags.also, Runs: reportRuns, Doing: r.report.step}
	facts, err := run.Wait(ctx, func() (facts report.Facts, err error) {
		if err = repro.Write(ctx, r.Run); err != nil {
			return facts, err
		}
		return account.OfReduction(ctx, run.Late(ctx), r.Run, result, o)
	})
	r.report.end()
	if err != nil && ctx.Err() != nil {
		r.report.line("stopped before the report; run 'whittle report'")
		return nil
	}
	if err != nil {
		return err
	}
	if r.next != nil && r.next.Best() != nil && r.next.Input.Set == nil {
		stage.Add(&facts, r.next.Run)
	}
	to := r.Out.Reports()
	if err = account.Write(about(facts), to[0], to[1], r.WarnMoved); err == nil {
		r.report.line("%s and %s have the report", printable.Line(to[0].Path), printable.Line(to[1].Path))
	}
	return err
}

// about completes facts by the version and the command line.
func about(facts report.Facts) report.Facts {
	facts.Whittle = versionText()
	facts.Again = shell.Join(slices.Concat([]string{"whittle"}, remoteflags.WithoutSecrets(os.Args[1:])))
	return facts
}
