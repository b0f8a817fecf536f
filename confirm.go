package whittle

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"whittle/algo"
	"whittle/parse"
)

// ErrFlaky means that neither the input nor a smaller file was interesting when tested again.
var ErrFlaky = fmt.Errorf("%w when it is tested again: the test is flaky", ErrUninteresting)

// ErrDoubted is an error of a property about its earlier answers. Reduce confirms the best file, and continues from it
// or from the newest accepted file that holds.
var ErrDoubted = errors.New("earlier outcomes are in doubt")

// restarts is the maximum number of continuations after going back.
const restarts = 4

// confirmed runs the passes until their result is interesting when tested again. Otherwise it goes back to the newest
// file that is.
func (r *reduction) confirmed(ctx context.Context) error {
	for i := 0; ; i++ {
		err := r.run(ctx)
		refuted, held := err == errRefuted, false
		switch {
		case errors.Is(err, ErrDoubted):
			refutations := r.result.Refuted
			r.runner.Doubt()
			if _, err = r.holds(ctx); err == nil {
				r.result.Refuted = refutations // not by the test
				continue
			}
		case refuted:
			err = nil
		case err != nil && !(timeOver(ctx) && isDone(err)):
			return err
		default:
			held, err = r.holds(ctx)
		}
		if timeOver(ctx) && isDone(err) {
			held, err = r.holds(r.late)
		}
		if isDone(err) && timeOver(ctx) { // no time to test it again
			return r.set(func() { r.result.Complete, r.result.Unconfirmed = false, true })
		}
		if held || err != nil {
			return err
		}
		stopped := !refuted && !r.result.Complete
		r.result.Complete = false
		if stopped || i == restarts {
			return nil
		}
	}
}

// errRefuted means that a round ended with a file that does not hold.
var errRefuted = errors.New("the best file was refuted")

func (r *reduction) watch(ctx context.Context) error {
	if r.Watch == nil || !r.Watch() {
		return nil
	}
	held, err := r.holds(ctx)
	if err == nil && !held {
		err = errRefuted
	}
	r.runner.ForgetEarly()
	return err
}

// holds tests the best file again, and if necessary goes back to the newest checkpoint that is interesting.
func (r *reduction) holds(ctx context.Context) (bool, error) {
	confirm := r.Confirm
	if confirm == nil {
		confirm = r.Property
	}
	outcome, err := confirm(ctx, r.result.File)
	if outcome == algo.Interesting || err != nil {
		return err == nil, err
	}
	r.runner.Doubt()
	if outcome == algo.Unresolved {
		r.runner.Forget(0)
		if outcome, err = confirm(ctx, r.result.File); outcome == algo.Interesting || err != nil {
			return false, err
		}
	}
	err = r.update(func() error {
		r.result.Refuted++
		return r.Observe.observe(Refuted{r.result.File})
	})
	for file := r.result.File; err == nil; {
		r.runner.Know(file, algo.Unresolved)
		earlier, ok := r.checkpoints.back()
		if !ok {
			return false, errors.Join(r.stepBack(r.Input, r.result.TokensAtAll), ErrFlaky)
		}
		file = earlier.file
		outcome, err = confirm(ctx, file)
		if err != nil || outcome == algo.Interesting {
			if err == nil {
				r.runner.Know(file, algo.Interesting)
			}
			return false, cmp.Or(r.stepBack(file, earlier.tokens), err)
		}
	}
	return false, err
}

func (r *reduction) stepBack(file []byte, tokens int) error {
	return r.update(func() error {
		r.result.File, r.result.Tokens, r.near = file, tokens, nil
		return r.improved()
	})
}

// improved is called in update.
func (r *reduction) improved() error {
	return r.Observe.observe(Improved{parse.Measure{Tokens: r.result.Tokens, File: r.result.File}})
}
