package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/interrupt"
	"whittle/internal/parsers"
	"whittle/internal/record"
	"whittle/oracle"
	"whittle/search/journal"
	"whittle/sink"
)

// reduction is one run of reduce: what it reads, asks and writes.
type reduction struct {
	flags   reduceFlags
	subject *subject
	out     *sink.Output
	guard   *sink.Guard // of out
	journal *journal.Journal
	record  *record.Recorder
	talk    *talk
	test    oracle.Test
	trust   *trust
	limit   *interrupt.Deadline

	began time.Time
	until context.Context // when nobody waits for a result any more
	hurry context.Context // when a second signal has come
	size  int             // of the best file, without the heads of an archive

	closers
}

// openReduction opens what a reduction needs. It is to be closed in any case.
func openReduction(ctx context.Context, f reduceFlags, call call) (r *reduction, err error) {
	f.parsers = parsers.NewPool(f.jobs)
	r = &reduction{flags: f}
	r.later(f.parsers.Close)
	if r.subject, err = f.open(call); err != nil {
		return r, err
	}
	command := r.subject.command
	if r.out, err = f.openOutput(r.subject); err != nil {
		return r, err
	}
	if err := r.check(call); err != nil {
		return r, err
	}
	r.out.Moved = func(path, kept string) { r.talk.moved(path, kept) }
	// Nothing is touched before the output and the journal are ours.
	if err := r.out.Claim(); err != nil {
		return r, err
	}
	r.later(r.out.Release)
	if r.journal, err = f.openJournal(r.out, call, r.subject); err != nil {
		return r, err
	}
	r.later(func() { r.journal.Close(true) })
	if r.guard, err = r.out.Guard(r.journal, f.fresh); err != nil {
		return r, err
	}
	if r.record, err = record.Open(f.stats, f.trace, f.driver == "list"); err != nil {
		return r, err
	}
	r.later(func() { r.record.Close() })
	closeWork, err := f.limitFlags.open(command, f.jobs)
	if err != nil {
		return r, err
	}
	r.later(closeWork)
	f.parsers.Spare(command.Reaper)

	r.began = time.Now()
	r.talk = newTalk(f.runFlags, r.subject.String())
	r.subject.tell(r.talk)
	hurry, calm := interrupt.Second(func() { r.talk.line("finishing; a second interrupt ends at once") })
	r.hurry = hurry
	r.later(calm)
	r.later(interrupt.OnStatus(r.talk.status))
	r.talk.resumes(r.journal, r.subject.Bytes)
	command.adaptive.Resume(r.journal.Slowest())
	r.until, r.limit = interrupt.NewDeadline(ctx, hurry, f.maxTime)
	r.later(r.limit.Close)
	test, end := newTest(ctx, call, command, f.jobs, r.subject.Bytes)
	r.test = test
	r.later(end)
	r.trust = newTrust(f.trustFlags, test, r.talk, r.out)
	return r, nil
}

// closers is what is to be closed at the end of a command.
type closers []func()

// later has something closed at the end.
func (c *closers) later(closer func()) { *c = append(*c, closer) }

// close closes all that was opened, the last first.
func (c *closers) close() {
	for _, closer := range slices.Backward(*c) {
		closer()
	}
}

// options is what the library is to do.
func (r *reduction) options(ctx context.Context) whittle.Options {
	f := r.flags
	return whittle.Options{
		Input: r.subject.Bytes, Language: r.subject.language.Language,
		Property: r.trust.ask, Confirm: r.confirm, Refuted: r.refuted,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs, Width: f.width,
		MaxTests: f.maxTests, MaxTime: f.maxTime, TargetTokens: f.targetTokens, Journal: r.journal,
		Started: func() error { return r.started(ctx) }, Improved: r.improved, Decided: r.decided,
	}
}

// started knows the input to be interesting: the output may be touched.
func (r *reduction) started(ctx context.Context) error {
	r.talk.starts(r.flags, r.subject.String(), r.subject.language.Name, r.out.Path)
	if err := r.guard.Judge(ctx, r.trust.ask, r.limit.Half()); err != nil {
		return err
	}
	if err := r.talk.begins(r.journal); err != nil {
		return err
	}
	if err := r.guard.BackUp(); err != nil {
		return err
	}
	return r.improved(r.subject.Bytes)
}

// improved writes the best file so far.
func (r *reduction) improved(file []byte) error {
	_, r.size = r.subject.Measure(file)
	return r.guard.Write(file)
}

// confirmations is how often a result is tested again: a test that says yes at
// random, one time in five, gets a wrong result past one more test as often, past
// three one time in 125. Once the time is up, one has to do.
const confirmations = 3

// confirm tests a result again while the clock stands still.
func (r *reduction) confirm(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	over, resume := r.limit.Pause()
	defer resume()
	if over {
		return r.trust.again(ctx, candidate, 1)
	}
	return r.trust.again(ctx, candidate, confirmations)
}

func (r *reduction) refuted(file []byte) {
	r.guard.LetGo()
	r.trust.refuted(file)
}

func (r *reduction) decided(d whittle.Decision) {
	if r.subject.Set != nil {
		d.BestBytes = r.size
	}
	r.talk.decided(d)
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
		return usagef("--max-time %v was over before %s was tested as it is; give it more", r.flags.maxTime, r.subject)
	}
	if result.File != nil && err == nil {
		err = r.guard.End(result.Complete)
	}
	if r.guard.Holds() {
		err = errors.Join(err, r.guard.Finish(ctx, r.hurry))
	}
	if result.File == nil {
		if r.guard.Holds() {
			r.talk.line("%s has the best so far", r.out.Path)
		}
		return err
	}
	r.record.Finish(record.Run{
		Driver: r.flags.driver, Algorithm: r.flags.algorithm, Seed: r.flags.seed, Language: r.subject.languageName(),
		Jobs: r.flags.jobs, Input: r.subject.Input, Result: result, Elapsed: time.Since(r.began),
	})
	err = errors.Join(err, r.record.Close())
	switch {
	case r.guard.Holds() && r.guard.Ahead():
		r.talk.line("%s has the best so far, of an earlier run", r.out.Path)
	case r.guard.Holds():
		r.talk.summary(r.out.Path, r.subject, result)
		if r.flags.inPlace && result.Complete && result.Tests == result.Replayed && r.guard.Held(result.File) {
			r.talk.line("%s was reduced already, and stays as it is", r.out.Path)
		}
	}
	r.talk.parts(r.journal, r.flags.inPlace || r.flags.keepJournal || !result.Complete || err != nil, ctx.Err() != nil)
	return err
}

// openOutput opens what the best goes to.
func (f *reduceFlags) openOutput(s *subject) (*sink.Output, error) {
	if f.inPlace {
		return sink.NewInPlace(s.Input, s.command.Argv[0])
	}
	return sink.NewOutput(s.Input, f.output, s.command.Argv[0])
}

// check finds out whether a run would overwrite one of its own files.
func (r *reduction) check(call call) error {
	var n sink.Names
	s, f := r.subject, r.flags
	if call.server == "" {
		n.Add(s.command.Argv[0], "the test")
		for _, word := range s.command.Argv[1:] {
			if filepath.IsAbs(word) {
				n.Add(word, "a file of the test")
			}
		}
	}
	for _, path := range f.grammar {
		n.Add(path, "the grammar")
	}
	for _, path := range s.Paths {
		n.AddWhole(path, "the file to reduce")
	}
	if r.out.Replaces() {
		n.AddWhole(r.out.Path, "the result")
	}
	var err error
	keep := func(e error) { err = cmp.Or(err, e) }
	if f.inPlace {
		for _, path := range s.Paths {
			keep(n.ClaimBeside(path, sink.BackUpPath(path), "the original"))
		}
	}
	for _, suffix := range flakyOutputs {
		keep(n.ClaimBeside(r.out.Path, r.out.Beside(suffix), "an output of the test"))
	}
	switch journal := f.journalPath(r.out); {
	case f.noJournal:
	case f.journal != "":
		keep(n.Claim("--journal", journal, "the journal"))
	default:
		keep(n.ClaimBeside(r.out.Path, journal, "the journal"))
	}
	keep(n.Claim("--stats", f.stats, "what --stats writes"))
	keep(n.Claim("--trace", f.trace, "what --trace writes"))
	return err
}
