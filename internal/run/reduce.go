package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/deps"
	"whittle/internal/disk"
	"whittle/internal/failure"
	"whittle/internal/journal"
	"whittle/internal/others"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/project"
	"whittle/internal/report"
	"whittle/internal/serverscript"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
	"whittle/rewrite"
)

// reduction is the state of a Run between Open and Finish.
type reduction struct {
	Out     *output.Output
	Others  *others.Set // candidates with other failures
	Journal *journal.Journal

	guard   *output.Guard
	record  *output.Recorder
	base    output.Figures
	over    func() (ended bool) // Reduce should end
	end     atomic.Pointer[context.CancelCauseFunc]
	course  *report.Follower
	pace    serverscript.Pace
	formats string // formatter; may be empty
	rules   []rewrite.Family

	best        []byte
	files, size int             // of best, without archive headers
	list        *tool.Arguments // nil if only the file is reduced
	called      tool.Invocation // of the best candidate
	untried     bool            // it was not tested without the additions
	builds      *project.Builds // may be nil
	atAll       int             // tokens of the list outside of its file
}

// Open claims the output and the journal before it changes any file; starts the test; and finds
// criterion and validity checks.
func (r *Run) Open(ctx context.Context) (err error) {
	o := r.Reduction
	if r.rules, err = r.families(); err != nil {
		return err
	}
	r.formats = r.formatter()
	if o.InPlace {
		r.Out, err = output.NewInPlace(r.Input.Input, r.Program())
	} else {
		r.Out, err = output.NewOutput(r.Input.Input, o.Output, r.Program())
	}
	if err != nil {
		return err
	}
	if err := r.checkNames(); err != nil {
		return err
	}
	r.Out.Moved = r.WarnMoved
	if err := r.Out.Claim(); err != nil {
		return err
	}
	r.Later(r.Out.Release)
	if err := r.openRecord(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.Start, r.recognise, r.Guard} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	r.Others = &others.Set{Dir: r.Out.OthersPath(), Layout: r.Spec.Layout}
	if !o.NoOther {
		r.Chain.Watch(r.Failure.Title, r.Failure.Callers, r.keepOther)
	}
	r.Spec.Reason = tool.ReasonIn(r.Spec.Name, r.Input.Set != nil)
	if r.Shrinks = r.shrinks(); r.Shrinks {
		words, err := r.expand(ctx)
		if err != nil {
			return err
		}
		command := tool.NewReducible(words)
		r.list = tool.NewArguments(command, r.Input.Bytes, r.Input.Language.Language, r.Input.Set)
		r.called, _ = r.list.Open(r.list.Archive())
	}
	if !o.NoJournal {
		if err := r.OpenJournal(r.journalPath()); err != nil {
			return err
		}
	}
	r.guard, err = r.Out.Guard(r.Journal, o.Fresh, r.tokens)
	return err
}

func (r *Run) openRecord() (err error) {
	o := r.Reduction
	var diffs func([]byte) []byte
	if o.TraceDiffs {
		diffs = r.Text
	}
	r.base = output.Figures{
		Driver: o.Search.Driver, Algorithm: o.Search.Algorithm, Language: r.Input.Language.Name,
		Jobs: r.Jobs, Input: r.Input.Input, Began: time.Now(),
	}
	r.record, err = output.NewRecorder(o.Records, r.driver().Flat, diffs)
	r.Later(func() { r.record.Finish(r.base) })
	return err
}

// recognise finds the criterion, preferably on a file that needs no others. With --force a
// command that always exits with 0 is a test.
func (r *Run) recognise(ctx context.Context) (err error) {
	if !r.InPlace {
		err = r.Prepare(ctx, r.Preprocess)
	} else {
		if r.Includes() {
			r.Warn(fmt.Sprintf("%s includes files that are not where the test runs, and stays as it is in place; "+
				"name them as FILEs, too, or leave --in-place out", r.Input))
		}
		err = r.Recognise(ctx)
	}
	err = r.recogniseBeside(ctx, err)
	if EndsWell(err) && r.Force {
		return nil
	}
	return err
}

// OpenJournal opens the journal until the run is closed. Errors mean no journal, unless the user
// asked for it or another process uses it.
func (r *Run) OpenJournal(path string) error {
	j, err := journal.Open(path, r.identity(), r.Fresh)
	switch {
	case errors.Is(err, disk.ErrInUse):
		return fmt.Errorf("%w; wait until it has ended, or give this one another with --journal", err)
	case err == nil:
		r.Journal = j
		r.Later(func() { j.Close(true) })
	case r.Reduction.Journal != "":
		return err
	default:
		r.Warn(fmt.Sprintf("%v; continuing without it", err))
	}
	return nil
}

// BeginJournal begins the journal once the input is interesting in some run. It moves a journal of
// another input or test aside.
func (r *Run) BeginJournal() error {
	foreign := r.Journal.Foreign
	if err := r.Journal.Begin(); err != nil || foreign == "" {
		return err
	}
	r.Warn(fmt.Sprintf("%s is of %s; it is kept as %s", r.Journal.Path, foreign, r.Journal.Aside))
	return nil
}

// WarnMoved reports that an output was moved.
func (r *Run) WarnMoved(path, kept string) {
	r.Warn(fmt.Sprintf("the old %s is kept as %s", printable.Line(path), printable.Line(kept)))
}

// reportTime is the time reserved for a report, at most a tenth of the limit.
const reportTime = 30 * time.Second

// Stop ends Reduce as if its time was over.
func (r *Run) Stop() {
	if end := r.end.Load(); end != nil {
		(*end)(context.DeadlineExceeded)
	}
}

// keepsBuilds reports whether tests may build on what earlier ones left.
func (r *Run) keepsBuilds() bool { return r.Input.Project != nil || r.KeepBuild && r.Input.Set != nil }

// Reduce reduces until ctx ends, and leaves time for a report before its deadline.
func (r *Run) Reduce(ctx context.Context) (whittle.Result, error) {
	facts, err := r.expect(ctx)
	if err != nil {
		return whittle.Result{}, err
	}
	r.Replay(r.candidate())
	if keeper := r.program.Keeper; r.keepsBuilds() {
		r.builds = &project.Builds{
			Trust: project.Trust{Clean: r.afresh, Alone: r.Jobs == 1}, Keeper: keeper, Test: r.Once(), Journal: r.Journal,
			Warn: r.Warn, Always: r.KeepBuild, Never: r.CleanBuild,
		}
		if r.Seen != nil {
			r.builds.Cold = r.Seen.Processor
		}
	}
	most := time.Duration(0)
	if end, limited := ctx.Deadline(); limited && r.Report {
		most = max(time.Until(end)-min(r.MaxTime/10, reportTime), time.Millisecond)
	}
	ctx, release := Limit(ctx, most)
	defer release()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	r.end.Store(&end)
	r.over = func() bool { return ctx.Err() != nil }
	o := r.Search
	o.Rewrites = r.rules
	o.Adapt = grammars.Adapt(r.languages()...)
	r.addFormatter(ctx, &o)
	r.addProposers(ctx, &o)
	o.Late = Late(ctx)
	o.Input, o.Language, o.Jobs = r.Input.Bytes, r.Input.Language.Language, r.Jobs
	o.Journal = facts
	o.Watch, o.Raise = func() bool { return r.Chain.Flaky() != nil }, r.raise
	if r.driver().Rewrites {
		how := recorder{run: r}
		stack := pass.Stack(func(file []byte) pass.Raised { _, raised := how.record(ctx, file); return raised })
		tell := func(file []byte) oracle.Run { record, _ := how.test(ctx, file); return record.Run }
		idle := pass.Idle(func(file []byte) []pass.Mark { marks, _ := how.record(ctx, file); return marks }, tell)
		if r.Input.Set == nil {
			o.Passes = append(o.Passes, r.Input.Language.WithFacts(stack, idle)...)
		} else {
			o.Passes = append(o.Passes, pass.Unread(func(paths []string) map[string]bool {
				return r.Journal.Facts(r.program.Reads.Found(), paths)
			}), pass.Comments(), stack, idle, deps.Slices(), pass.Files(), pass.Empty())
		}
	}
	if r.list != nil {
		r.withArguments(&o)
	}
	o.Length = r.length
	o.Property, o.Confirm = r.builds.Property(r.ask), r.builds.Confirm(r.confirm)
	o.Observe = func(e whittle.Event) error { return r.observe(ctx, e) }
	result, err := whittle.Reduce(ctx, o)
	if plain := r.called; (err == nil || ctx.Err() != nil) && !result.Complete && len(plain.Added) > 0 {
		plain.Added = nil // the result is for the user's command, unless a test shows that it needs them
		outcome, late := r.Chain.Ask(o.Late, plain.Spec(r.Spec), plain.File)
		r.untried = late != nil && err != nil
		result.Unconfirmed = result.Unconfirmed || late != nil
		if late != nil && err == nil || late == nil && outcome == algo.Interesting {
			r.called = plain
		}
	}
	return r.result(result), err
}

func (r *Run) observe(ctx context.Context, e whittle.Event) error {
	r.record.Observe(e)
	switch e := e.(type) {
	case whittle.Started:
		return r.started(ctx)
	case whittle.Improved:
		return r.improved(e.Measure)
	case whittle.Decision:
		r.decided(e)
		return nil
	case whittle.Refuted:
		r.guard.LetGo()
		r.shrinkLimits()
		called, _ := r.list.Open(e.File)
		r.Warn(fmt.Sprintf("the result of %s bytes is not interesting when tested again; going back to an earlier one",
			count(len(called.File))))
	}
	r.Observe(e)
	return nil
}

// started writes the first output once the input is interesting, unless the test finds anything interesting.
func (r *Run) started(ctx context.Context) error {
	if err := r.probe(ctx); err != nil {
		return err
	}
	r.Observe(whittle.Started{})
	if err := cmp.Or(r.guard.Judge(ctx, r.Ask, Half(ctx)), ctx.Err()); err != nil { // before any file is changed
		return err
	}
	if err := r.BeginJournal(); err != nil {
		return err
	}
	if err := r.guard.BackUp(); err != nil {
		return err
	}
	r.record.Begin(r.base, r.Out.String(), output.Criterion{
		Test: r.Test.String(), Kind: string(r.Failure.Kind), Title: r.Failure.Title})
	r.builds.Begin(ctx, r.Input.Bytes)
	r.shrinkLimits()
	r.setBest(parse.Measure{File: r.candidate()})
	if r.Report {
		r.course = report.NewFollower(r.reported(), r.tokens(r.best))
	}
	return r.guard.Start(r.best)
}

// shrinkLimits lets the time limits follow the tests of smaller files, from now on.
func (r *Run) shrinkLimits() { r.Chain.Timeout.Shrink(!r.program.Keeper.KeepsBuilds()) }

func (r *Run) improved(best parse.Measure) error {
	best = r.setBest(best)
	if r.course != nil {
		r.course.Improved(parse.Measure{Tokens: best.Tokens, File: r.reported()})
	}
	err := r.guard.Write(best)
	r.record.Best(best.Tokens, r.size, err)
	return err
}

func (r *Run) decided(d whittle.Decision) {
	d.Best, d.BestBytes = d.Best-r.extraTokens(), r.size
	d.AtAll -= r.atAll
	if called, ok := r.list.Open(d.File); ok && !d.Cached {
		r.Chain.Used(called.Spec(r.Spec), called.File)
	}
	r.Observe(d)
	if !d.Replayed && r.pace.Slow(r.Jobs, time.Now()) {
		r.recommendServer()
	}
	if d.Pass == "format" && !d.Accepted {
		r.unformatted(errors.New("the formatted file is not interesting"))
	}
	r.record.Decided(d, r.files)
	if r.course != nil {
		r.course.Decided(d)
	}
}

func (r *Run) keepOther(f failure.Signature, by oracle.Spec, candidate []byte) {
	command := shell.Join(append([]string{r.Test.Argv[0]}, by.Argv[1:]...))
	r.record.Other(f.Title, len(candidate))
	r.Others.Keep(f.Title, fmt.Sprintf("by: %s\n%s\n", command, strings.Join(f.Shown, "\n")), candidate)
}

// Looser returns the path of a kept candidate, or "". It is smaller than the result and fails in
// the same function with other callers.
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

func (r *Run) tokens(file []byte) int {
	tree, err := r.Input.Language.Parse(file)
	if err != nil {
		return math.MaxInt
	}
	return parse.Whole(tree).Weight()
}

// Confirmations is the number of tests that confirm a result. A test that errs in one of five
// cases confirms a wrong result once in five times by one test, once in 125 by three. After the
// time limit one test must do.
const Confirmations = 3

func (r *Run) confirm(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	called, ok := r.list.Open(candidate)
	least := Confirmations
	if !ok {
		return algo.Unresolved, nil
	} else if r.over() {
		least = 1
	}
	return r.Chain.Again(ctx, called.Spec(r.Spec), called.File, least)
}

func count(n int) string { return humanize.Comma(int64(n)) }
