// Package reduction is a run of [whittle.Reduce] with all that it writes: the output,
// the journal, the trace and the figures.
package reduction

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/failure"
	"whittle/internal/arguments"
	"whittle/internal/disk"
	"whittle/internal/interrupt"
	"whittle/internal/record"
	"whittle/internal/session"
	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
	"whittle/search/journal"
	"whittle/sink"
)

// Options says what to reduce by, and where results go. All functions are needed.
type Options struct {
	Reduce       whittle.Options // but for the input, the property, the journal and what a Run listens to
	Seed         uint64
	Kept         bool   // the trace shows which items of a list each candidate keeps
	Output       string // "" is a default
	InPlace      bool
	Journal      string // "" is a default
	NoJournal    bool
	KeepJournal  bool
	Fresh        bool   // an earlier run is not gone on with
	NoOther      bool   // what shows another failure is not kept
	Force        bool   // a test that finds anything interesting will do
	KeepFlags    bool   // the arguments of the command stay
	Report       bool   // the course is followed, for a report
	Preprocess   bool   // the file is preprocessed first
	Stats, Trace string // "" is none
	TraceDiffs   bool   // the trace shows what became of the file

	// Moved is told where what was at a path is kept, if it was not ours.
	Moved func(path, kept string)
	// Flaky is told when the test contradicts itself, and of the error of keeping its
	// two outputs.
	Flaky func(oracle.Contradiction, error)
	// Started is called once the input is known to be interesting.
	Started func()
	// Foreign is told that the journal was of something else, and where that is kept.
	Foreign func(what, kept string)
	// Refuted is told of a result that does not hold.
	Refuted func(file []byte)
	// Decided is called for each candidate, in order.
	Decided func(whittle.Decision)
}

// A Run is one reduction: what it asks and writes.
type Run struct {
	*session.Session
	Out     *sink.Output
	Others  *sink.Others     // what shows other failures
	Journal *journal.Journal // nil for none

	options  Options
	guard    *sink.Guard
	record   *record.Recorder
	deadline *interrupt.Deadline
	began    time.Time
	course   *record.Follower // nil if nobody wants to know
	best     []byte
	size     int // of the best file, without the heads of an archive

	list   *arguments.List      // the command and its file; nil if only that is reduced
	called arguments.Invocation // of the best candidate
	atAll  int                  // tokens of the whole list that are none of its file
}

// Open opens what the run writes and starts the session, which closes it. Nothing is
// touched before the output and the journal are ours.
func Open(ctx context.Context, s *session.Session, o Options) (*Run, error) {
	r := &Run{Session: s, options: o}
	var err error
	if o.InPlace {
		r.Out, err = sink.NewInPlace(s.Input.Input, s.Program())
	} else {
		r.Out, err = sink.NewOutput(s.Input.Input, o.Output, s.Program())
	}
	if err != nil {
		return nil, err
	}
	if err := r.checkNames(); err != nil {
		return nil, err
	}
	r.Out.Moved = o.Moved
	s.Flaky = func(x oracle.Contradiction) { o.Flaky(x, session.KeepOutputs(x, r.Out)) }
	if err := r.Out.Claim(); err != nil {
		return nil, err
	}
	s.Later(r.Out.Release)
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	if err := r.recognise(ctx); err != nil {
		return nil, err
	}
	if err := s.Guard(ctx); err != nil {
		return nil, err
	}
	r.Others = &sink.Others{Dir: r.Out.OthersPath(), Layout: s.Spec.Layout}
	if !o.NoOther {
		s.Watch(r.keepOther)
	}
	if s.Shrinks = r.shrinks(); s.Shrinks {
		r.list = arguments.NewList(arguments.Read(s.Test.Argv), s.Input.Bytes, s.Input.Language.Language, s.Input.Set)
		r.called, _ = r.list.Open(r.list.Archive())
	}
	if !o.NoJournal {
		if err := r.openJournal(); err != nil {
			return nil, err
		}
		s.Later(func() { r.Journal.Close(true) })
	}
	if r.guard, err = r.Out.Guard(r.Journal, o.Fresh, r.tokens); err != nil {
		return nil, err
	}
	var diffs func([]byte) []byte
	if o.TraceDiffs {
		diffs = r.Text
	}
	if r.record, err = record.Open(o.Stats, o.Trace, o.Kept, diffs); err != nil {
		return nil, err
	}
	s.Later(func() { r.record.Close() })
	r.began = time.Now()
	return r, nil
}

// recognise finds out what the failure of a command is known by, on a file that needs no
// others, where it may become that.
func (r *Run) recognise(ctx context.Context) error {
	if !r.options.InPlace {
		return r.Prepare(ctx, r.options.Preprocess)
	}
	if r.Includes() {
		r.Warn(fmt.Sprintf("%s includes files that are not where the test runs, and stays as it is in place; "+
			"name them as FILEs, too, or leave --in-place out", r.Input))
	}
	return r.Recognise(ctx)
}

// openJournal opens the journal. Where none can be, the run goes on without it, unless
// it was asked for.
func (r *Run) openJournal() error {
	j, err := r.OpenJournal(r.journalPath(), r.options.Fresh)
	if err == nil {
		r.Journal = j
		return nil
	}
	if r.options.Journal != "" || errors.Is(err, disk.ErrInUse) {
		return err
	}
	r.Warn(fmt.Sprintf("%v; going on without it", err))
	return nil
}

// Reduce reduces until the deadline, whose clock stands still while the result is
// tested again.
func (r *Run) Reduce(ctx context.Context, d *interrupt.Deadline) (whittle.Result, error) {
	r.deadline = d
	o := r.options.Reduce
	o.Input, o.Language, o.Journal = r.Input.Bytes, r.Input.Language.Language, r.Journal
	if r.list != nil {
		r.withArguments(&o)
	}
	o.Property, o.Confirm, o.Refuted = r.ask, r.confirm, r.refuted
	o.Started = func() error { return r.started(ctx) }
	o.Improved, o.Decided = r.improved, r.decided
	result, err := whittle.Reduce(ctx, o)
	return r.result(result), err
}

// started knows the input to be interesting. If nothing speaks against the test, the
// output may be touched.
func (r *Run) started(ctx context.Context) error {
	if err := r.probe(ctx); err != nil {
		return err
	}
	r.options.Started()
	if err := r.guard.Judge(ctx, r.Ask, r.deadline.Half()); err != nil {
		return err
	}
	foreign := r.Journal.Foreign()
	if err := r.Journal.Begin(); err != nil {
		return err
	}
	if foreign != "" {
		r.options.Foreign(foreign, r.Journal.Aside())
	}
	if err := r.guard.BackUp(); err != nil {
		return err
	}
	if err := r.improved(parse.Measure{Tokens: math.MaxInt, File: r.candidate()}); err != nil { // no better than any
		return err
	}
	r.follow()
	return nil
}

// improved writes the best file so far.
func (r *Run) improved(best parse.Measure) error {
	best = r.plainly(best)
	_, r.size = r.Input.Measure(best.File)
	r.best = best.File
	r.followed(best)
	return r.guard.Write(best)
}

// keepOther keeps a candidate that fails in another way than the input.
func (r *Run) keepOther(f failure.Signature, by oracle.Spec, candidate []byte) {
	command := shell.Join(append([]string{r.Test.Argv[0]}, by.Argv[1:]...))
	r.Others.Keep(f.Title, fmt.Sprintf("by: %s\n%s\n", command, strings.Join(f.Shown, "\n")), candidate)
}

// tokens returns the number of tokens of a file.
func (r *Run) tokens(file []byte) int {
	tree, err := r.Input.Language.Parse(file)
	if err != nil {
		return math.MaxInt
	}
	return parse.Whole(tree).Weight()
}

// Confirmations is how often a result is tested again: a test that finds a file
// interesting at random, one time in five, gets a wrong result past one more test as
// often, past three one time in 125. Once the time is up, one has to do.
const Confirmations = 3

// confirm tests a result again while the clock stands still.
func (r *Run) confirm(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	over, resume := r.deadline.Pause()
	defer resume()
	if over {
		return r.again(ctx, candidate, 1)
	}
	return r.again(ctx, candidate, Confirmations)
}

func (r *Run) refuted(file []byte) {
	r.guard.LetGo()
	file, _, _ = r.open(file)
	r.options.Refuted(file)
}

func (r *Run) decided(d whittle.Decision) {
	d.Best, d.BestBytes = d.Best-r.beside(), r.size
	d.AtAll -= r.atAll
	r.options.Decided(d)
	r.record.Decided(d)
	if r.course != nil {
		r.course.Decided(d)
	}
}

// stopped reports whether a reduction that has ended by itself would go on if it were
// asked again: it was stopped, by its time or the user, and not by what it has come to.
func (r *Run) stopped(result whittle.Result) bool {
	o := r.options.Reduce
	return !result.Complete && result.Refuted == 0 &&
		!(o.MaxTests > 0 && result.Tests >= o.MaxTests) &&
		!(o.TargetTokens > 0 && result.Tokens <= o.TargetTokens)
}

// An End is what a run has left.
type End struct {
	Written bool     // the output has the best file
	Ahead   bool     // which is that of an earlier run, for that came further
	Already bool     // the input had been reduced in place before, and nothing has changed
	GoesOn  bool     // the same command goes on from the journal
	Journal error    // of the journal's end
	Command string   // of the test, for a shell, with the arguments that the result needs; "" if all stay
	Added   []string // arguments and variables of it that were added for speed and are needed now
}

// Finish writes the result of Reduce, which has no file if it did not come back in
// time; err is its error. The best so far is written in any case. The error is
// [whittle.ErrNoTime] if the time was over before the input was tested. Once hurry is
// done Finish waits for nothing.
func (r *Run) Finish(ctx, hurry context.Context, result whittle.Result, err error) (End, error) {
	if err = interrupt.Cause(ctx, err); result.File == nil && ctx.Err() == nil {
		err = nil // the time was over
		if !r.guard.Holds() {
			err = whittle.ErrNoTime
		}
	}
	if err == whittle.ErrNoTime {
		return End{}, err
	}
	if result.File != nil && err == nil {
		err = r.guard.End(result.Complete)
	}
	if r.guard.Holds() {
		err = errors.Join(err, r.guard.Finish(ctx, hurry))
	}
	end := End{Written: r.guard.Holds(), Ahead: r.guard.Ahead()}
	if result.File == nil {
		return end, err
	}
	end.Command, end.Added = r.command()
	r.record.Finish(record.Run{
		Driver: r.options.Reduce.Driver, Algorithm: r.options.Reduce.Algorithm, Seed: r.options.Seed,
		Language: r.Input.ReadBy(), Jobs: r.Jobs, Input: r.Input.Input, Result: result, Elapsed: time.Since(r.began),
		Stages:  r.Stages(),
		Command: end.Command, Arguments: r.arguments(),
	})
	err = errors.Join(err, r.record.Close())
	inPlace := r.options.InPlace
	end.Already = inPlace && result.Complete && result.Tests == result.Replayed && r.guard.Held(result.File)
	known := r.Journal.Known()
	end.Journal = r.Journal.Close(inPlace || r.options.KeepJournal || !result.Complete || err != nil)
	end.GoesOn = known > 0 && end.Journal == nil && (ctx.Err() != nil || err == nil && r.stopped(result))
	return end, err
}
