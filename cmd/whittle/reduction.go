package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"whittle"
	"whittle/oracle"
)

// reduction is one run of reduce: what it reads, asks and writes.
type reduction struct {
	flags   reduceFlags
	subject *subject
	path    string // of the output
	out     output
	held    *held // out, which a run that goes on does not make worse
	journal *oracle.Journal
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
	if r.journal, err = f.openJournal(r.path, call, r.subject); err != nil {
		return r, err
	}
	r.later(func() { r.journal.Close(true) })
	if len(r.subject.kept) > 0 && !r.journal.Resumed() {
		return r, backUpExists(r.subject.kept[0])
	}
	if r.record, err = newRecord(f, command.Argv[0], r.subject, r.path); err != nil {
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
	r.held = hold(r.out, r.journal)
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
func (r *reduction) options() whittle.Options {
	f := r.flags
	return whittle.Options{
		Input: r.subject.input, Language: r.subject.language.Language,
		Property: r.trust.Test, Confirm: r.limit.confirm(r.trust.Again), Refuted: r.refuted,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Seed: f.seed, Jobs: f.jobs, Width: f.width,
		MaxTests: f.maxTests, MaxTime: f.maxTime, TargetTokens: f.targetTokens, Journal: r.journal,
		Started: r.started, Improved: r.improved, Decided: r.decided,
	}
}

// started knows the input to be interesting: the output may be touched.
func (r *reduction) started() error {
	r.talk.starts(r.flags, r.subject.String(), r.subject.language.Name, r.path)
	if err := r.talk.begins(r.journal); err != nil {
		return err
	}
	if r.flags.inPlace {
		if err := r.subject.backUp(r.out); err != nil {
			return err
		}
	}
	return r.improved(r.subject.input)
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
	if result.Complete && err == nil && r.held.next != nil {
		err = r.held.replace(r.held.next)
	}
	if r.best {
		finished := r.out.finish(ctx, r.hurry)
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
	}
	r.talk.parts(r.journal, r.flags.keepJournal || !result.Complete || err != nil, ctx.Err() != nil)
	return err
}
