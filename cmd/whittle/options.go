package main

import (
	"context"
	"fmt"
	"os"

	"whittle"
	"whittle/grammars"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/usage"
)

// config returns the configuration of a run with a test.
func (f *flags) config(test run.Test) (run.Config, error) {
	language, err := f.findLanguage()
	return run.Config{
		Test: test, Name: f.name, Language: language, Grammar: f.grammar,
		Stdin: f.stdin, Interesting: f.interesting, InterestingText: f.interestingText(), Frames: f.frames,
		Timeout: f.timeout, Limits: f.limits, Sandbox: f.sandbox, WorkDir: f.workDir, Jobs: f.jobs, Repeat: f.repeat,
		Retry: f.remote.Retry, Remote: f.remote.Remote, Valid: f.validity(),
		Reduction: run.Reduction{
			Search: whittle.Options{
				Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Width: f.width, Wide: f.wide,
				NoRewrite: f.noRewrite, KeepNames: f.keepNames, MaxTests: f.maxTests, TargetTokens: f.targetTokens,
			},
			Rules: f.rules, Format: f.format, MaxTime: f.maxTime, Output: f.output, InPlace: f.inPlace, Force: f.force,
			NoOther: f.noOther, KeepFlags: f.keepFlags, Preprocess: f.preprocess, Report: f.reports,
			Journal: f.journal, NoJournal: f.noJournal, KeepJournal: f.keepJournal, Fresh: f.fresh,
			Stats: f.stats, Trace: f.trace, TraceDiffs: f.traceDiffs,
		},
		Warn: func(text string) {
			if !f.quiet {
				fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %s\n", text)
			}
		},
	}, err
}

// findLanguage returns the language that the flags select, or nil.
func (f *flags) findLanguage() (*grammars.Language, error) {
	if len(f.grammar) > 0 {
		l, err := f.openGrammar()
		return &l, err
	}
	if f.language == "" {
		return nil, nil
	}
	l, ok := grammars.Find(f.language)
	if !ok {
		return nil, usagef("no language %q%s; see 'whittle languages'",
			f.language, usage.DidYouMean(f.language, languageNames()))
	}
	return &l, nil
}

// attend answers signals until the run is closed: it confirms an interrupt, and prints the
// status on request.
func attend(ctx context.Context, s *run.Run, r *reporter) {
	heard := context.AfterFunc(ctx, func() {
		if !interrupt.TimeOver(ctx) {
			r.line("finishing; a second interrupt exits at once")
		}
	})
	s.Later(func() { heard() })
	s.Later(interrupt.OnStatus(r.status))
}
