// Package reduction is a run of [whittle.Reduce] with all that it writes: the output,
// the journal, the trace and the figures.
package reduction

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/arguments"
	"whittle/internal/chain"
	"whittle/internal/disk"
	"whittle/internal/failure"
	"whittle/internal/interrupt"
	"whittle/internal/journal"
	"whittle/internal/output"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
)

// Options says what to reduce by, and where results go. All functions are needed.
type Options struct {
	Reduce       whittle.Options // but for the input, the property, the journal and what a Run listens to
	MaxTime      time.Duration   // that the user has given it, for the report
	Kept         bool            // the trace shows which items of a list each candidate keeps
	Output       string          // "" is a default
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
	Flaky func(chain.Contradiction, error)
	// Foreign is told that the journal was of something else, and where that is kept.
	Foreign func(what, kept string)
	// Observe receives the events of the reduction, except [whittle.Improved].
	Observe func(whittle.Event)
}

// A Run is one reduction: what it asks and writes.
type Run struct {
	*run.Run
	Out     *output.Output
	Others  *output.Others   // what shows other failures
	Journal *journal.Journal // nil for none

	options Options
	guard   *output.Guard
	record  *run.Recorder
	base    run.Figures         // of the figures
	over    func() (ended bool) // whether Reduce is to end
	end     atomic.Pointer[func()]
	course  *run.Follower // nil if nobody wants to know
	best    []byte
	size    int // of the best file, without the heads of an archive

	list   *arguments.List      // the command and its file; nil if only that is reduced
	called arguments.Invocation // of the best candidate
	atAll  int                  // tokens of the whole list that are none of its file
}

// Open opens what the run writes and starts the session, which closes it. Nothing is
// touched before the output and the journal are ours.
func Open(ctx context.Context, s *run.Run, o Options) (*Run, error) {
	r := &Run{Run: s, options: o}
	var err error
	if o.InPlace {
		r.Out, err = output.NewInPlace(s.Input.Input, s.Program())
	} else {
		r.Out, err = output.NewOutput(s.Input.Input, o.Output, s.Program())
	}
	if err != nil {
		return nil, err
	}
	if err := r.checkNames(); err != nil {
		return nil, err
	}
	r.Out.Moved = o.Moved
	s.Flaky = func(x chain.Contradiction) { o.Flaky(x, run.KeepOutputs(x, r.Out)) }
	if err := r.Out.Claim(); err != nil {
		return nil, err
	}
	s.Later(r.Out.Release)
	if err := r.openRecord(); err != nil {
		return nil, err
	}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	if err := r.recognise(ctx); err != nil {
		return nil, err
	}
	if err := s.Guard(ctx); err != nil {
		return nil, err
	}
	r.Others = &output.Others{Dir: r.Out.OthersPath(), Layout: s.Spec.Layout}
	if !o.NoOther {
		s.Watch(r.keepOther)
	}
	if s.Shrinks = r.shrinks(); s.Shrinks {
		command := arguments.Read(s.Test.Argv, s.Confined())
		r.list = arguments.NewList(command, s.Input.Bytes, s.Input.Language.Language, s.Input.Set)
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
	return r, nil
}

// openRecord opens what the trace and the figures go to.
func (r *Run) openRecord() error {
	o := r.options
	var diffs func([]byte) []byte
	if o.TraceDiffs {
		diffs = r.Text
	}
	r.base = run.Figures{
		Driver: o.Reduce.Driver, Algorithm: o.Reduce.Algorithm, Language: r.Input.Language.Name,
		Jobs: r.Jobs, Input: r.Input.Input, Began: time.Now(),
	}
	var err error
	if r.record, err = run.OpenRecorder(o.Stats, o.Trace, o.Kept, diffs, r.base); err == nil {
		r.Later(func() { r.record.Close() })
	}
	return err
}

// recognise finds out what the failure of a command is known by, on a file that needs no
// others, where it may become that. With --force a command that exits with 0 on any file is
// a test.
func (r *Run) recognise(ctx context.Context) error {
	err := r.prepare(ctx)
	if run.EndsWell(err) && r.options.Force {
		return nil
	}
	return err
}

func (r *Run) prepare(ctx context.Context) error {
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
	r.Warn(fmt.Sprintf("%v; continuing without it", err))
	return nil
}

// reportTime is the most time that a run with a limit keeps for its report; it is a tenth of
// the limit if that is less.
const reportTime = 30 * time.Second

// Stop has Reduce end as if its time was over.
func (r *Run) Stop() {
	if end := r.end.Load(); end != nil {
		(*end)()
	}
}

// Reduce reduces until ctx ends, and comes back soon after that; before, if a report is to be
// made in the time of ctx.
func (r *Run) Reduce(ctx context.Context) (whittle.Result, error) {
	most := time.Duration(0)
	if end, limited := ctx.Deadline(); limited && r.options.Report {
		most = max(time.Until(end)-min(r.options.MaxTime/10, reportTime), time.Millisecond)
	}
	ctx, end, release := interrupt.Limit(ctx, most)
	defer release()
	r.end.Store(&end)
	r.over = func() bool { return ctx.Err() != nil }
	o := r.options.Reduce
	o.Late = interrupt.Late(ctx)
	o.Input, o.Language, o.Journal = r.Input.Bytes, r.Input.Language.Language, r.Journal
	if r.list != nil {
		r.withArguments(&o)
	}
	o.Length = r.length
	o.Property, o.Confirm = r.ask, r.confirm
	o.Observe = func(e whittle.Event) error { return r.observe(ctx, e) }
	result, err := whittle.Reduce(ctx, o)
	return r.result(result), err
}

func (r *Run) observe(ctx context.Context, e whittle.Event) error {
	switch e := e.(type) {
	case whittle.Started:
		return r.started(ctx)
	case whittle.Improved:
		return r.improved(e.Measure)
	case whittle.Decision:
		r.decided(e)
	case whittle.Refuted:
		r.guard.LetGo()
		e.File, _, _ = r.open(e.File)
		r.options.Observe(e)
	default:
		r.options.Observe(e)
	}
	return nil
}

// started knows the input to be interesting. If nothing speaks against the test, the
// output may be touched.
func (r *Run) started(ctx context.Context) error {
	if err := r.probe(ctx); err != nil {
		return err
	}
	r.options.Observe(whittle.Started{})
	if err := r.guard.Judge(ctx, r.Ask, interrupt.Half(ctx)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // before anything is touched
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

// Looser returns the path of a kept candidate that is smaller than the result and fails in
// the same function, where only the callers differ; "" if there is none.
func (r *Run) Looser() string {
	if len(r.Failure.Callers) == 0 {
		return ""
	}
	for _, k := range r.Others.All() {
		if k.Bytes < len(r.best) && (k.Title == r.Failure.Title || strings.HasPrefix(k.Title, r.Failure.Title+", called ")) {
			return k.Path
		}
	}
	return ""
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

// confirm tests a result again.
func (r *Run) confirm(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	if r.over() {
		return r.again(ctx, candidate, 1)
	}
	return r.again(ctx, candidate, Confirmations)
}

func (r *Run) decided(d whittle.Decision) {
	d.Best, d.BestBytes = d.Best-r.beside(), r.size
	d.AtAll -= r.atAll
	r.options.Observe(d)
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
	Stopped bool     // more may go: the run ended by its time, by the user or by a signal
	GoesOn  bool     // the same command goes on from the journal
	Journal error    // of the journal's end
	Command string   // of the test, for a shell, with the arguments that the result needs; "" if all stay
	Added   []string // arguments and variables of it that were added for speed and are needed now
}

// Finish writes the result of Reduce and the figures; err is the error of Reduce. The best
// so far is written in any case, unless the error is [whittle.ErrNoTime]. A signal ends ctx;
// from some time after that on Finish waits for no reader of the output.
func (r *Run) Finish(ctx context.Context, result whittle.Result, err error) (End, error) {
	err = interrupt.Cause(ctx, err)
	if err == nil {
		err = r.guard.End(result.Complete)
	}
	if r.guard.Holds() {
		err = errors.Join(err, r.guard.Finish(ctx, interrupt.Late(ctx)))
	}
	end := End{Written: r.guard.Holds(), Ahead: r.guard.Ahead()}
	end.Command, end.Added = r.command()
	figures := r.base
	figures.Result = result
	if end.Written { // it was read
		figures.Language, figures.Stages = r.Input.ReadBy(), r.Chain.Tallies()
		figures.Command, figures.Arguments = end.Command, r.arguments()
	}
	r.record.Finish(figures)
	err = errors.Join(err, r.record.Close())
	inPlace := r.options.InPlace
	end.Already = inPlace && result.Complete && result.Tests == result.Replayed && r.guard.Held(result.File)
	end.Stopped = ctx.Err() != nil || err == nil && r.stopped(result)
	goesOn := r.Journal.GoesOn()
	end.Journal = r.Journal.Close(inPlace || r.options.KeepJournal || !result.Complete || err != nil)
	end.GoesOn = goesOn && end.Journal == nil && end.Stopped
	return end, err
}
