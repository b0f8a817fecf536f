package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"whittle"
	"whittle/internal/explain"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/view"
)

// reducing is a run of the reduce command.
type reducing struct {
	*session
	control whittle.Control
}

func (r *reducing) open(ctx context.Context) error {
	if err := r.Read(r.inputs); err != nil {
		return err
	}
	r.report.course.Does("testing " + printable.String(r.Input.String()))
	if err := r.Open(ctx); err != nil {
		return explain.Unknown(ctx, r.Run, err)
	}
	if err := r.report.recognises(ctx, r.Run, true); err != nil {
		return err
	}
	r.report.text, r.report.course.Elsewhere = r.Text, r.Elsewhere
	if f := r.flags; !f.plain && !f.quiet && view.IsFull(os.Stdin, os.Stderr) {
		full := view.NewFull(r.report.course, r.fullOptions())
		r.OnStop(full.Suspend, full.Resume)
		r.report.show(full, full.End)
	}
	r.report.reads(r.Input)
	r.report.resumes(r.Journal)
	return nil
}

// observe receives the events of the reduction.
func (r *reducing) observe(e whittle.Event) {
	r.report.observe(e)
	if _, ok := e.(whittle.Started); !ok {
		return
	}
	r.report.starts(r.Run)
	for _, text := range append(r.Guarded(), r.Crash.Notes()...) {
		r.report.line("%s", text)
	}
}

// early returns the error of a run that ended before the first test.
func (r *reducing) early(err error) error {
	if interrupt.TimeOver(r.limited) && errors.Is(err, context.DeadlineExceeded) {
		return r.noTime()
	}
	if r.limited.Err() != nil {
		r.report.line(startsAgain)
	}
	return interrupt.Cause(r.limited, err)
}

// startsAgain is the message if a run was interrupted before the first test.
const startsAgain = "no result yet; the same command starts again"

func (r *reducing) noTime() error {
	inputs := strings.Join(r.inputs, ", ")
	if r.MaxTime == 0 {
		return usagef("you stopped whittle before the first test of %s", inputs)
	}
	return usagef("--max-time %v ended before the first test of %s; increase it", r.MaxTime, inputs)
}

func (r *reducing) fullOptions() view.FullOptions {
	most := 2 * max(r.Jobs, runtime.NumCPU())
	if r.Test.Server != "" {
		most = r.Jobs
	}
	seeks := "test: " + r.Test.String()
	if title := r.Failure.Title; title != "" {
		seeks = "looking for: " + title
	}
	return view.FullOptions{
		Keys: os.Stdin, Screen: os.Stderr, Most: most, Control: &r.control, Load: r.Load, Text: r.Text, Stop: r.Stop,
		Input: r.Input.String(), Output: r.Out.String(), How: r.Input.Language.Name + ", " + r.Search.Driver,
		Seeks: seeks, Jobs: r.Jobs, MaxTime: r.MaxTime,
	}
}

func (r *reducing) run(ctx context.Context) error {
	defer r.report.onPanic()
	result, err := r.Reduce(r.limited)
	r.report.end()
	if why := explain.Of(r.Run, err); why != nil {
		return r.advise(err, why)
	}
	if err = r.finish(ctx, result, err); err == nil || ctx.Err() != nil {
		if e := r.tell(r.limited, result); e != nil {
			err = errors.Join(err, e)
		}
	}
	if err == nil && r.Deleted(result) {
		return r.advise(fmt.Errorf("nothing is left of %s", r.Input), func(ctx context.Context) error {
			return explain.Nothing(ctx, r.Run, r.Out.String())
		})
	}
	return err
}

// advise looks for the cause of err, a problem of the test. Without time left, it returns only err.
func (r *reducing) advise(err error, find func(context.Context) error) error {
	found := interrupt.Do(r.limited, func() error { return find(r.limited) })
	if interrupt.TimeOver(r.limited) && errors.Is(found, context.DeadlineExceeded) {
		return nof("%w; --max-time %v ended before the cause was found", err, r.MaxTime)
	}
	return found
}

// finish writes the result and prints a summary. err is the error of the reduction.
func (r *reducing) finish(ctx context.Context, result whittle.Result, err error) error {
	end, err := r.Finish(ctx, result, err)
	switch {
	case errors.Is(err, whittle.ErrNoTime):
		return r.noTime()
	case !end.Written:
	case end.Ahead:
		r.report.line("%s has the best result so far, from an earlier run", r.Out.String())
	default:
		r.report.stages(r.Chain.Tallies())
		r.report.summary(r.Out.String(), r.Input.Input, result)
		r.report.needs(end, result.Complete)
	}
	r.report.others(r.Others, r.Chain.Slipped(), r.Looser())
	if end.Written && r.Out.Replaces() && r.Input.Set == nil {
		r.report.shows(result.File)
	}
	if end.Already && end.Written && !end.Ahead {
		r.report.line("%s was already reduced, and does not change", r.Out.String())
	}
	if end.Journal != nil {
		r.report.line("%v", end.Journal)
	}
	switch {
	case end.GoesOn:
		r.report.line("the same command continues from here")
	case end.Stopped && end.Written && r.Out.Replaces():
		r.report.line("there is no journal; to continue, reduce %s", r.Out.Path)
	case end.Stopped && !end.Written:
		r.report.line(startsAgain)
	}
	return err
}
