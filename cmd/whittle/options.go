package main

import (
	"context"
	"errors"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/reduction"
	"whittle/internal/rulefiles"
	"whittle/internal/run"
	"whittle/pass"
)

// options returns the options of a reduction. Messages for the user go to tell. The caller sets
// *run before the first event.
func (f *flags) options(
	ctx context.Context, s *run.Run, run **reduction.Run, tell func(format string, args ...any),
) (o reduction.Options, err error) {
	rewrites, err := rulefiles.Families(f.rules, rulefiles.Languages(s.Input.Language.Name, s.Language))
	if err != nil {
		return o, err
	}
	unformatted := func(err error) {
		if f.format != formatAuto {
			tell("--format %s: %v; the result does not change", f.format, err)
		}
	}
	var last []pass.Pass
	if command := f.formatter(s); command != "" {
		last = append(last, pass.Format(func(file []byte) ([]byte, error) {
			return (*run).Within(file, func(file []byte) ([]byte, error) { return s.Format(ctx, command, file) })
		}, func(err error) {
			if ctx.Err() == nil {
				unformatted(err)
			}
		}))
	}
	return reduction.Options{
		Reduce: whittle.Options{
			Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs, Width: f.width, Wide: f.wide,
			Rewrites: rewrites, NoRewrite: f.noRewrite, KeepNames: f.keepNames, Passes: last,
			MaxTests: f.maxTests, TargetTokens: f.targetTokens,
		},
		Kept: f.flat(), MaxTime: f.maxTime,
		Output: f.output, InPlace: f.inPlace, Stats: f.stats, Trace: f.trace, TraceDiffs: f.traceDiffs,
		Journal: f.journal, NoJournal: f.noJournal, KeepJournal: f.keepJournal, Fresh: f.fresh, Force: f.force,
		NoOther:   f.noOther,
		KeepFlags: f.keepFlags, Preprocess: f.preprocess, Report: f.reports,
		Moved:   func(path, kept string) { tell("the old %s is kept as %s", path, kept) },
		Foreign: func(what, kept string) { tell("%s is of %s; it is kept as %s", (*run).Journal.Path(), what, kept) },
		Flaky: func(chain.Contradiction, error) {
			tell("the test is flaky; continuing with %d confirmations", s.Chain.Confirmations())
		},
		Observe: func(e whittle.Event) {
			switch e := e.(type) {
			case whittle.Refuted:
				tell("a result is not interesting when tested again; going back to an earlier one")
			case whittle.Decision:
				if e.Pass == "format" && !e.Accepted {
					unformatted(errors.New("the formatted file is not interesting"))
				}
			}
		},
	}, nil
}
