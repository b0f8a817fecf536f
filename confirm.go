package whittle

import (
	"context"
	"errors"
	"fmt"

	"whittle/algo"
	"whittle/parse"
)

// ErrFlaky says that the input was interesting, but not when it was tested
// again, and that nothing smaller is interesting for good.
var ErrFlaky = fmt.Errorf("%w when it is tested again: the test is flaky", ErrUninteresting)

// restarts is how often a reduction goes on from where it stepped back to.
const restarts = 4

// confirmed runs the passes until they end with a file that is interesting when it
// is tested again. Where it is not, it steps back to the newest that is, and
// goes on from there.
func (r *reduction) confirmed(ctx context.Context) error {
	for i := 0; ; i++ {
		if err := r.untilDeadline(ctx, r.run); err != nil && err != errDeadline {
			return err
		}
		held, err := r.holds(ctx)
		if held || err != nil {
			return err
		}
		stopped := !r.result.Complete
		r.result.Complete = false
		if stopped || i == restarts {
			return nil
		}
	}
}

// errDeadline says that MaxTime is over.
var errDeadline = errors.New("the time is over")

// untilDeadline does something until MaxTime is over, or until the user wants no more,
// which is errDeadline.
func (r *reduction) untilDeadline(ctx context.Context, do func(context.Context) error) error {
	limited, end := r.Control.stoppable(ctx)
	defer end(nil)
	if !r.deadline.IsZero() {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadlineCause(limited, r.deadline, errDeadline)
		defer cancel()
	}
	err := do(limited)
	if err != nil && ctx.Err() == nil && context.Cause(limited) == errDeadline && isDone(err) {
		err = errDeadline
	}
	return err
}

// isDone reports whether an error is that of a context that is done.
func isDone(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// holds tests the best file again. If it is not interesting any more, the newest
// of the checkpoints that is becomes the best.
func (r *reduction) holds(ctx context.Context) (bool, error) {
	confirm := r.Confirm
	if confirm == nil {
		confirm = r.Property
	}
	outcome, err := confirm(ctx, r.result.File)
	if outcome == algo.Interesting || err != nil {
		return err == nil, err
	}
	r.result.Refuted++
	r.runner.Doubt()
	if r.Refuted != nil {
		r.Refuted(r.result.File)
	}
	for file := r.result.File; ; {
		r.runner.Know(file, algo.Unresolved)
		earlier, ok := r.checkpoints.back()
		if !ok {
			r.result.File, r.result.Tokens = r.Input, r.result.TokensAtAll
			return false, errors.Join(r.improved(), ErrFlaky)
		}
		file = earlier.file
		outcome, err := confirm(ctx, file)
		if err != nil {
			return false, err
		}
		if outcome == algo.Interesting {
			r.runner.Know(file, algo.Interesting)
			r.result.File, r.result.Tokens = file, earlier.tokens
			return false, r.improved()
		}
	}
}

// improved reports the best file.
func (r *reduction) improved() error {
	if r.Improved == nil {
		return nil
	}
	return r.Improved(parse.Measure{Tokens: r.result.Tokens, File: r.result.File})
}
