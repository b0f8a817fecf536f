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

// options returns how a reduction goes that the flags ask for, of a session that has read its
// input. Of what it is told it tells nobody but by tell, and that where the user has to know.
// The reduction is to be in run once it is open.
func (f *flags) options(
	ctx context.Context, s *run.Run, run **reduction.Run, tell func(format string, args ...any),
) (o reduction.Options, err error) {
	rewrites, err := rulefiles.Families(f.rules, rulefiles.Languages(s.Input.Language.Name, s.Language))
	if err != nil {
		return o, err
	}
	unformatted := func(err error) {
		if f.format != formatAuto {
			tell("--format %s: %v; the result stays as it is", f.format, err)
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
		Moved:   func(path, kept string) { tell("what was in %s is kept as %s", path, kept) },
		Foreign: func(what, kept string) { tell("%s is of %s; it is kept as %s", (*run).Journal.Path(), what, kept) },
		Flaky: func(chain.Contradiction, error) {
			tell("the test is flaky; going on with %d confirmations", s.Chain.Confirmations())
		},
		Observe: func(e whittle.Event) {
			switch e := e.(type) {
			case whittle.Refuted:
				tell("a result does not hold when it is tested again; going back to one that does")
			case whittle.Decision:
				if e.Pass == "format" && !e.Accepted {
					unformatted(errors.New("the test does not hold of what it made"))
				}
			}
		},
	}, nil
}
