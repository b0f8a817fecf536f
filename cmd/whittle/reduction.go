package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"whittle"
	"whittle/search/journal"
	"whittle/sink"
)

// reduction is one run of reduce: what it reads, asks and writes.
type reduction struct {
	flags   reduceFlags
	subject *subject
	path    string // of the output
	out     output
	held    *held    // out, which a run that goes on does not make worse
	unknown []string // what is in the output and is not known to be ours
	journal *journal.Journal
	record  *record
	talk    *talk
	test    tester
	trust   *trust
	limit   *limit

	began time.Time
	until context.Context // when nobody waits for a result any more
	hurry context.Context // when a second signal has come
	best  bool            // out has the best file
	size  int             // of it, without the heads of an archive

	closers
}

// openReduction opens what a reduction needs. It is to be closed in any case.
func openReduction(ctx context.Context, f reduceFlags, call call) (r *reduction, err error) {
	f.parsers = newParsers(f.jobs)
	r = &reduction{flags: f}
	r.later(f.parsers.Close)
	if r.subject, err = f.open(call); err != nil {
		return r, err
	}
	command := r.subject.command
	if r.out, r.path, err = r.subject.output(f, command.Argv[0]); err != nil {
		return r, err
	}
	if err := r.check(call); err != nil {
		return r, err
	}
	out, onDisk := r.out.(*places)
	if onDisk {
		out.say = func(format string, args ...any) { r.talk.line(format, args...) }
		out.puts = r.puts
	}
	// Nothing is touched before the output and the journal are ours.
	if err := r.out.claim(); err != nil {
		return r, err
	}
	r.later(r.out.release)
	if err := r.stillSo(); err != nil {
		return r, err
	}
	if r.journal, err = f.openJournal(r.path, call, r.subject); err != nil {
		return r, err
	}
	r.later(func() { r.journal.Close(true) })
	if onDisk {
		if err := r.goesOn(out); err != nil {
			return r, err
		}
	}
	if r.record, err = newRecord(f); err != nil {
		return r, err
	}
	r.later(func() { r.record.close() })
	closeWork, err := f.limitFlags.open(command, f.jobs)
	if err != nil {
		return r, err
	}
	r.later(closeWork)
	f.parsers.known(command.Processes)

	r.began = time.Now()
	r.talk = newTalk(f.runFlags, r.subject.String())
	r.subject.tell(r.talk)
	hurry, calm := secondSignal(func() { r.talk.line("finishing; a second interrupt ends at once") })
	r.hurry = hurry
	r.later(calm)
	r.later(onStatus(r.talk.status))
	r.talk.resumes(r.journal, r.subject.input)
	command.Patience.Resume(r.journal.Slowest())
	r.held = hold(r.out, r.journal, r.subject.input)
	r.until, r.limit = newLimit(ctx, hurry, f.maxTime)
	r.later(r.limit.expire)
	test, end := newTester(ctx, call, command, f.jobs, r.subject.input)
	r.test = test
	r.later(end)
	r.trust = newTrust(f.trustFlags, test.Test, test.Explain, r.talk, besideResult(r.path, r.subject))
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
		Input: r.subject.input, Language: r.subject.language.Language,
		Property: r.trust.Test, Confirm: r.limit.confirm(r.trust.Again), Refuted: r.refuted,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs, Width: f.width,
		MaxTests: f.maxTests, MaxTime: f.maxTime, TargetTokens: f.targetTokens, Journal: r.journal,
		Started: func() error { return r.started(ctx) }, Improved: r.improved, Decided: r.decided,
	}
}

// started knows the input to be interesting: the output may be touched.
func (r *reduction) started(ctx context.Context) error {
	r.talk.starts(r.flags, r.subject.String(), r.subject.language.Name, r.path)
	if err := r.judge(ctx); err != nil {
		return err
	}
	if err := r.talk.begins(r.journal); err != nil {
		return err
	}
	if r.flags.inPlace {
		if err := r.out.(*places).backUp(); err != nil {
			return err
		}
	}
	return r.improved(r.subject.input)
}

// judge decides what becomes of what is in the output and is not known to be ours.
// If it may be the result of an earlier run it is held. In place it is no more than
// kept: the journal that would have known it is lost.
func (r *reduction) judge(ctx context.Context) error {
	if err := r.held.judge(ctx, r.trust.Test, r.limit.half()); err != nil {
		return err
	}
	switch {
	case !r.flags.inPlace || len(r.unknown) == 0:
		return nil
	case r.held.best == nil:
		return changed(r.unknown[0])
	}
	r.held.letGo()
	return r.out.(*places).clear()
}

// puts notes what is about to come to the output. In place it is on the disk before
// that, so that nobody's work can be taken for ours, nor ours for another's.
func (r *reduction) puts(s sink.Sum) {
	r.journal.Own(s.Bytes())
	if r.flags.inPlace {
		r.journal.Sync()
	}
}

// improved writes the best file so far.
func (r *reduction) improved(file []byte) error {
	_, r.size = r.subject.measure(file)
	err := r.held.write(file)
	r.best = err == nil
	return err
}

func (r *reduction) refuted(file []byte) {
	r.held.letGo()
	r.trust.refuted(file)
}

func (r *reduction) decided(d whittle.Decision) {
	if r.subject.set != nil {
		d.BestBytes = r.size
	}
	r.talk.decided(d)
	r.record.decided(d)
}

// finish writes the result and tells of it. err is that of the reduction, which
// has no file if it did not come back in time.
func (r *reduction) finish(ctx context.Context, result whittle.Result, err error) error {
	if err = orCause(ctx, err); result.File == nil && ctx.Err() == nil {
		err = nil // --max-time was over
		if !r.best {
			err = whittle.ErrNoTime
		}
	}
	if err == whittle.ErrNoTime {
		return usagef("--max-time %v was over before %s was tested as it is; give it more", r.flags.maxTime, r.subject)
	}
	if result.File != nil && err == nil {
		err = r.held.end(result.Complete)
	}
	if r.best {
		finished := r.held.finish(ctx, r.hurry)
		r.best = finished == nil
		err = errors.Join(err, finished)
	}
	if result.File == nil {
		if r.best {
			r.talk.line("%s has the best so far", r.path)
		}
		return err
	}
	r.record.finish(r.flags, r.subject, result, time.Since(r.began))
	err = errors.Join(err, r.record.close())
	switch {
	case r.best && r.held.next != nil:
		r.talk.line("%s has the best so far, of an earlier run", r.path)
	case r.best:
		r.talk.summary(r.path, r.subject, result)
		if r.flags.inPlace && result.Complete && result.Tests == result.Replayed && bytes.Equal(r.held.first, result.File) {
			r.talk.line("%s was reduced already, and stays as it is", r.path)
		}
	}
	r.talk.parts(r.journal, r.flags.inPlace || r.flags.keepJournal || !result.Complete || err != nil, ctx.Err() != nil)
	return err
}
