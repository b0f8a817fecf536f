package main

import (
	"context"
	"errors"
	"os"
	"runtime"

	"whittle"
	"whittle/internal/advice"
	"whittle/internal/interrupt"
	"whittle/internal/reduction"
	"whittle/internal/session"
	"whittle/internal/view"
	"whittle/oracle"
)

// reducing is one run of reduce.
type reducing struct {
	*reduction.Run
	attention
	flags   reduceFlags
	control whittle.Control
	report  *reporter
}

// openReduction opens what a reduction needs besides the session, which closes it.
func openReduction(ctx context.Context, f reduceFlags, s *session.Session) (*reducing, error) {
	r := &reducing{flags: f, report: newReporter(f.runFlags, s.Input.String())}
	s.Warn = func(text string) { r.report.line("%s", text) }
	o, err := f.options(ctx, s, &r.Run, r.report.line)
	if err != nil {
		return nil, err
	}
	o.Reduce.Control, o.Reduce.Began = &r.control, r.report.began
	o.Reduce.Ended = r.report.ended
	o.Started = func() {
		r.report.starts(f, s.Input.String(), s.Input.Language.Name, r.Out.Path)
		r.report.guarded(s.Guards, s.Agree)
	}
	o.Moved, o.Refuted = r.report.moved, r.report.refuted
	o.Flaky = func(x oracle.Contradiction, err error) { r.report.flaky(x, r.Out, err, s.Confirmations()) }
	unformatted := o.Decided
	o.Decided = func(d whittle.Decision) {
		r.report.decided(d)
		unformatted(d)
	}
	r.Run, err = reduction.Open(ctx, s, o)
	if err != nil {
		r.report.end()
		return nil, interrupt.Cause(ctx, advice.Case{Session: s, Tell: r.report.line}.Unknown(ctx, err))
	}
	r.report.recognises(s)
	r.report.text, r.report.elsewhere = r.Text, r.Elsewhere
	r.report.fills(r.fullView(f))
	r.report.reads(s.Input)
	r.attention = attend(ctx, s, r.report, f.maxTime)
	r.report.resumes(r.Journal)
	r.Replay()
	return r, nil
}

// fullView returns the view that fills the terminal, nil if there is none.
func (r *reducing) fullView(f reduceFlags) *view.Full {
	if f.plain || f.quiet || !view.IsFull(os.Stdin, os.Stderr) {
		return nil
	}
	most := 2 * max(f.jobs, runtime.NumCPU())
	if f.server != "" {
		most = f.jobs
	}
	course := view.NewCourse(r.Input.String(), r.Out.Path, f.jobs, f.maxTime)
	full := view.NewFull(course, view.FullOptions{
		Keys: os.Stdin, Screen: os.Stderr, Most: most,
		Control: &r.control, Load: r.Load, Text: r.Text,
		Stop: func() {
			r.control.Stop()
			r.deadline.End()
		},
	})
	r.OnStop(full.Suspend, full.Resume)
	return full
}

// run reduces, and says what came of it.
func (r *reducing) run(ctx context.Context) error {
	r.deadline.Start()
	result, err := interrupt.Wait(r.until, func() (whittle.Result, error) {
		defer r.report.onPanic()
		return r.Reduce(ctx, r.deadline)
	})
	r.report.end()
	advised := advice.Case{Session: r.Session, Exceeded: r.flags.exceeded, Tell: r.report.line}
	if errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky) {
		if err := r.Input.Kept(); err != nil && !r.Journal.Resumed() {
			return err // which is no input of this test
		}
		return r.advise(ctx, advised.Uninteresting)
	}
	if senseless := (*reduction.SenselessError)(nil); errors.As(err, &senseless) {
		return r.advise(ctx, func(ctx context.Context) error { return advised.Senseless(ctx, senseless) })
	}
	if err = r.finish(ctx, result, err); err == nil || ctx.Err() != nil {
		if e := r.tell(ctx, result); e != nil {
			err = errors.Join(err, e)
		}
	}
	if err == nil && r.Input.IsNothing(result.File) && !r.Input.IsNothing(r.Input.Bytes) {
		return r.advise(ctx, func(ctx context.Context) error { return advised.Nothing(ctx, r.Out.Path) })
	}
	return err
}

// advise finds out what is wrong with the test, without a limit of time.
func (r *reducing) advise(ctx context.Context, find func(context.Context) error) error {
	r.deadline.Stop()
	_, err := interrupt.Wait(r.until, func() (any, error) { return nil, find(ctx) })
	return interrupt.Cause(ctx, err)
}

// finish writes the result and says what it is. err is that of the reduction.
func (r *reducing) finish(ctx context.Context, result whittle.Result, err error) error {
	end, err := r.Finish(ctx, r.hurry, result, err)
	switch {
	case err == whittle.ErrNoTime && r.flags.maxTime == 0:
		return usagef("stopped by you before %s was tested as it is", r.Input)
	case err == whittle.ErrNoTime:
		return usagef("--max-time %v was over before %s was tested as it is; give it more", r.flags.maxTime, r.Input)
	case !end.Written:
	case result.File == nil:
		r.report.line("%s has the best so far", r.Out.Path)
	case end.Ahead:
		r.report.line("%s has the best so far, of an earlier run", r.Out.Path)
	default:
		r.report.stages(r.Stages())
		r.report.summary(r.Out.Path, r.Input.Input, result)
		r.report.needs(end, result.Complete)
	}
	r.report.others(r.Others, r.Drifted())
	if end.Written && result.File != nil && r.Out.Replaces() && r.Input.Set == nil {
		r.report.shows(result.File)
	}
	if end.Already && end.Written && !end.Ahead {
		r.report.line("%s was reduced already, and stays as it is", r.Out.Path)
	}
	if end.Journal != nil {
		r.report.line("%v", end.Journal)
	}
	if end.GoesOn {
		r.report.line("the same command goes on from here")
	}
	return err
}
