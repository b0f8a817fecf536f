package batch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/interrupt"
	"whittle/internal/reduction"
	"whittle/internal/run"
)

// shared is what a case has of all there is.
func (b *Batch) shared(r *Run, turn chain.Turn) Shared {
	return Shared{Host: b.host, Turn: turn, Warn: func(text string) { b.Say(r.Case, text) }}
}

// recognise finds out what the failures of the cases are known by. What cannot be found out is
// left to be seen when the case is reduced.
func (b *Batch) recognise(ctx context.Context) {
	share := b.Workers.Join(func(int) {})
	defer share.Leave()
	var group sync.WaitGroup
	for _, r := range b.Runs {
		if r.Err != nil || r.Test != "" {
			continue
		}
		weight := b.Weigh(r.Case)
		b.admit(weight)
		group.Go(func() {
			defer b.leave(weight)
			share.Whole(ctx, func(ctx context.Context) error {
				s, err := b.Open(ctx, r.Case, b.shared(r, share.Turn))
				if err != nil {
					return err
				}
				defer s.Close()
				var run *reduction.Run
				o, err := b.Reduction(ctx, r.Case, s, &run)
				if err == nil {
					err = s.Start(ctx)
				}
				if err == nil {
					err = s.Prepare(ctx, o.Preprocess)
				}
				r.change(func(to *State) { to.Title = s.Failure.Title })
				return err
			})
		})
	}
	group.Wait()
}

// reduce reduces a case. The error says why it could not be.
func (b *Batch) reduce(ctx context.Context, r *Run) error {
	if err := ctx.Err(); err != nil || r.Err != nil {
		return errors.Join(interrupt.Cause(ctx, err), r.Err)
	}
	var control whittle.Control
	share := b.Workers.Join(control.SetJobs)
	defer share.Leave()
	r.mu.Lock()
	r.share = share
	r.state.Phase, r.state.Began = Opening, time.Now()
	r.mu.Unlock()

	limited, _, release := interrupt.Limit(ctx, b.MaxTime)
	defer release() // also of what was left behind
	s, err := b.Open(limited, r.Case, b.shared(r, share.Turn))
	if err != nil {
		return err
	}
	defer s.Close()
	o := oneCase{Batch: b, Run: r, share: share, session: s}
	_, err = interrupt.Wait(limited, func() (any, error) { return nil, o.open(limited, &control) })
	if err == nil {
		err = o.run(ctx, limited)
	}
	if errors.Is(err, whittle.ErrNoTime) || errors.Is(err, context.DeadlineExceeded) && interrupt.TimeOver(limited) {
		return fmt.Errorf("--max-time %v was over before it was tested as it is; give it more", b.MaxTime)
	}
	return interrupt.Cause(limited, err)
}

// oneCase is a case that is open.
type oneCase struct {
	*Batch
	*Run
	share     *Share
	session   *run.Run
	reduction *reduction.Run
}

func (o *oneCase) tell(format string, args ...any) { o.Say(o.Case, fmt.Sprintf(format, args...)) }

// open opens what the reduction writes, and finds out what the failure is known by.
func (o *oneCase) open(ctx context.Context, control *whittle.Control) error {
	options, err := o.Reduction(ctx, o.Case, o.session, &o.reduction)
	if err != nil {
		return err
	}
	options.Reduce.Control, options.KeepJournal = control, true
	then := options.Observe
	options.Observe = func(e whittle.Event) {
		switch e := e.(type) {
		case whittle.Started:
			o.change(func(s *State) { s.Phase = Reducing })
		case whittle.Decision:
			o.decided(e)
		}
		then(e)
	}
	return o.share.Whole(ctx, func(ctx context.Context) error {
		opened, err := reduction.Open(ctx, o.session, options)
		if run.EndsWell(err) {
			return o.endsWell()
		}
		if err != nil {
			return o.session.ExplainUnknown(ctx, err)
		}
		o.reduction = opened
		o.change(func(s *State) { s.Title = o.session.Failure.Title })
		return nil
	})
}

// run reduces until limited ends, and writes what came of it. A signal ends ctx, too.
func (o *oneCase) run(ctx, limited context.Context) error {
	o.reduction.Replay()
	result, err := o.reduction.Reduce(limited)
	if errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky) {
		return o.explain(ctx, func(ctx context.Context) error { return o.session.ExplainUninteresting(ctx) })
	}
	if senseless := (*reduction.SenselessError)(nil); errors.As(err, &senseless) {
		if s := o.session; s.Test.Inline && s.Spec.Interesting.IsZero() {
			return o.endsWell()
		}
		return o.explain(ctx, func(ctx context.Context) error { return o.session.ExplainSenseless(ctx, senseless.Garbage) })
	}
	end, err := o.reduction.Finish(ctx, result, err)
	if end.Written {
		o.keep(result, end)
	}
	if end.Journal != nil {
		o.tell("%v", end.Journal)
	}
	if in := o.session.Input; err == nil && in.IsNothing(result.File) && !in.IsNothing(in.Bytes) {
		return o.explain(ctx, func(ctx context.Context) error { return o.session.ExplainNothing(ctx, o.reduction.Out.Path) })
	}
	return err
}

// endsWell returns the error of a command that exits with 0 as on other files.
func (o *oneCase) endsWell() error {
	return fmt.Errorf("%s does not fail with it: it exits with 0, as with other files", o.session.Test)
}

// explain finds out what is wrong with the test.
func (o *oneCase) explain(ctx context.Context, find func(context.Context) error) error {
	_, err := interrupt.Wait(ctx, func() (any, error) { return nil, o.share.Whole(ctx, find) })
	return err
}

// keep takes note of what was written.
func (o *oneCase) keep(result whittle.Result, end reduction.End) {
	file, in := result.File, o.session.Input
	kept := Result{Path: o.reduction.Out.Path, Complete: result.Complete, GoesOn: end.GoesOn}
	_, kept.Bytes = in.Measure(file)
	if o.reduction.Journal != nil {
		kept.Journal = o.reduction.Journal.Path()
	}
	kept.exact, kept.shape = identify(file, in.Language)
	o.change(func(s *State) {
		s.Tokens, s.AtAll = result.Tokens, result.TokensAtAll
		s.Tests, s.Replayed, s.Vain = result.Tests, result.Replayed, result.Cancelled
		kept.Tokens = s.Tokens
		s.Result = kept
	})
}
