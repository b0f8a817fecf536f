package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/advice"
	"whittle/internal/interrupt"
	"whittle/internal/record"
	"whittle/internal/session"
	"whittle/oracle"
	"whittle/search/journal"
	"whittle/sink"
)

// reduction is one run of reduce: what it reads, asks and writes.
type reduction struct {
	*session.Session
	attention
	flags   reduceFlags
	out     *sink.Output
	guard   *sink.Guard // of out
	journal *journal.Journal
	record  *record.Recorder
	report  *reporter
	began   time.Time
	size    int // of the best file, without the heads of an archive
}

// openReduction opens what a reduction needs besides the session, which closes it.
func openReduction(ctx context.Context, f reduceFlags, s *session.Session) (*reduction, error) {
	r := &reduction{Session: s, flags: f}
	var err error
	if r.out, err = f.openOutput(s); err != nil {
		return nil, err
	}
	if err := f.checkNames(s, r.out); err != nil {
		return nil, err
	}
	r.out.Moved = func(path, kept string) { r.report.moved(path, kept) }
	// Nothing is touched before the output and the journal are ours.
	if err := r.out.Claim(); err != nil {
		return nil, err
	}
	s.Later(r.out.Release)
	if r.journal, err = f.openJournal(s, r.out); err != nil {
		return nil, err
	}
	s.Later(func() { r.journal.Close(true) })
	if r.guard, err = r.out.Guard(r.journal, f.fresh); err != nil {
		return nil, err
	}
	if r.record, err = record.Open(f.stats, f.trace, f.driver == "list"); err != nil {
		return nil, err
	}
	s.Later(func() { r.record.Close() })
	s.Flaky = func(x oracle.Contradiction) {
		r.report.flaky(x, r.out, session.KeepOutputs(x, r.out), s.Confirmations())
	}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	r.began = time.Now()
	r.report = newReporter(f.runFlags, s.Input.String())
	s.Warn = func(text string) { r.report.line("%s", text) }
	r.report.reads(s.Input)
	r.attention = attend(ctx, s, r.report, f.maxTime)
	r.report.resumes(r.journal)
	s.Replay(r.journal)
	return r, nil
}

// openOutput opens what the best goes to.
func (f *reduceFlags) openOutput(s *session.Session) (*sink.Output, error) {
	if f.inPlace {
		return sink.NewInPlace(s.Input.Input, s.Program())
	}
	return sink.NewOutput(s.Input.Input, f.output, s.Program())
}

// checkNames finds out whether a run would overwrite one of its own files.
func (f *reduceFlags) checkNames(s *session.Session, out *sink.Output) error {
	n := s.Names()
	if out.Replaces() {
		n.AddWhole(out.Path, "the result")
	}
	var err error
	keep := func(e error) { err = cmp.Or(err, e) }
	if f.inPlace {
		for _, path := range s.Input.Paths {
			keep(n.ClaimBeside(path, sink.BackUpPath(path), "the original"))
		}
	}
	for _, path := range session.FlakyPaths(out) {
		keep(n.ClaimBeside(out.Path, path, "an output of the test"))
	}
	switch path := f.journalPath(out); {
	case f.noJournal:
	case f.journal != "":
		keep(n.Claim("--journal", path, "the journal"))
	default:
		keep(n.ClaimBeside(out.Path, path, "the journal"))
	}
	keep(n.Claim("--stats", f.stats, "what --stats writes"))
	keep(n.Claim("--trace", f.trace, "what --trace writes"))
	return err
}

// run reduces, and says what came of it.
func (r *reduction) run(ctx context.Context) error {
	r.deadline.Start()
	result, err := interrupt.Wait(r.until, func() (whittle.Result, error) { return whittle.Reduce(ctx, r.options(ctx)) })
	r.report.end()
	if errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky) {
		if err := r.Input.Kept(); err != nil && !r.journal.Resumed() {
			return err // which is no input of this test
		}
		return r.advise(ctx, r.advice().Uninteresting)
	}
	err = r.finish(ctx, result, err)
	if err == nil && r.Input.IsNothing(result.File) && !r.Input.IsNothing(r.Input.Bytes) {
		return r.advise(ctx, func(ctx context.Context) error { return r.advice().Nothing(ctx, r.out.Path) })
	}
	return err
}

// advise finds out what is wrong with the test, without a limit of time.
func (r *reduction) advise(ctx context.Context, find func(context.Context) error) error {
	r.deadline.Stop()
	_, err := interrupt.Wait(r.until, func() (any, error) { return nil, find(ctx) })
	return interrupt.Cause(ctx, err)
}

func (r *reduction) advice() advice.Case {
	return advice.Case{Session: r.Session, Exceeded: r.flags.exceeded, Tell: r.report.line}
}

// options is what the library is to do.
func (r *reduction) options(ctx context.Context) whittle.Options {
	f := r.flags
	return whittle.Options{
		Input: r.Input.Bytes, Language: r.Input.Language.Language,
		Property: r.Ask, Confirm: r.confirm, Refuted: r.refuted,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs, Width: f.width,
		MaxTests: f.maxTests, MaxTime: f.maxTime, TargetTokens: f.targetTokens, Journal: r.journal,
		Started: func() error { return r.started(ctx) }, Improved: r.improved, Decided: r.decided,
	}
}

// started knows the input to be interesting: the output may be touched.
func (r *reduction) started(ctx context.Context) error {
	r.report.starts(r.flags, r.Input.String(), r.Input.Language.Name, r.out.Path)
	if err := r.guard.Judge(ctx, r.Ask, r.deadline.Half()); err != nil {
		return err
	}
	if err := r.report.begins(r.journal); err != nil {
		return err
	}
	if err := r.guard.BackUp(); err != nil {
		return err
	}
	return r.improved(r.Input.Bytes)
}

// improved writes the best file so far.
func (r *reduction) improved(file []byte) error {
	_, r.size = r.Input.Measure(file)
	return r.guard.Write(file)
}

// confirmations is how often a result is tested again: a test that finds a file
// interesting at random, one time in five, gets a wrong result past one more test as often, past
// three one time in 125. Once the time is up, one has to do.
const confirmations = 3

// confirm tests a result again while the clock stands still.
func (r *reduction) confirm(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	over, resume := r.deadline.Pause()
	defer resume()
	if over {
		return r.Again(ctx, candidate, 1)
	}
	return r.Again(ctx, candidate, confirmations)
}

func (r *reduction) refuted(file []byte) {
	r.guard.LetGo()
	r.report.refuted(file)
}

func (r *reduction) decided(d whittle.Decision) {
	if r.Input.Set != nil {
		d.BestBytes = r.size
	}
	r.report.decided(d)
	r.record.Decided(d)
}

// finish writes the result and tells of it. err is that of the reduction, which
// has no file if it did not come back in time.
func (r *reduction) finish(ctx context.Context, result whittle.Result, err error) error {
	if err = interrupt.Cause(ctx, err); result.File == nil && ctx.Err() == nil {
		err = nil // --max-time was over
		if !r.guard.Holds() {
			err = whittle.ErrNoTime
		}
	}
	if err == whittle.ErrNoTime {
		return usagef("--max-time %v was over before %s was tested as it is; give it more", r.flags.maxTime, r.Input)
	}
	if result.File != nil && err == nil {
		err = r.guard.End(result.Complete)
	}
	if r.guard.Holds() {
		err = errors.Join(err, r.guard.Finish(ctx, r.hurry))
	}
	if result.File == nil {
		if r.guard.Holds() {
			r.report.line("%s has the best so far", r.out.Path)
		}
		return err
	}
	r.record.Finish(record.Run{
		Driver: r.flags.driver, Algorithm: r.flags.algorithm, Seed: r.flags.seed, Language: r.Input.ReadBy(),
		Jobs: r.flags.jobs, Input: r.Input.Input, Result: result, Elapsed: time.Since(r.began),
	})
	err = errors.Join(err, r.record.Close())
	switch {
	case r.guard.Holds() && r.guard.Ahead():
		r.report.line("%s has the best so far, of an earlier run", r.out.Path)
	case r.guard.Holds():
		r.report.summary(r.out.Path, r.Input.Input, result)
		if r.flags.inPlace && result.Complete && result.Tests == result.Replayed && r.guard.Held(result.File) {
			r.report.line("%s was reduced already, and stays as it is", r.out.Path)
		}
	}
	r.report.parts(r.journal, r.flags.inPlace || r.flags.keepJournal || !result.Complete || err != nil, ctx.Err() != nil)
	return err
}
