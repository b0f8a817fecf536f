package whittle

import (
	"cmp"
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
		if err := r.run(ctx); err != nil && !(timeOver(ctx) && isDone(err)) {
			return err
		}
		held, err := r.holds(ctx)
		if timeOver(ctx) && isDone(err) {
			held, err = r.holds(r.late)
		}
		if isDone(err) && timeOver(ctx) { // there was no time for that, either
			return r.set(func() { r.result.Complete, r.result.Unconfirmed = false, true })
		}
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
	r.runner.Doubt()
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

// stepBack makes an earlier file the best.
func (r *reduction) stepBack(file []byte, tokens int) error {
	return r.update(func() error {
		r.result.File, r.result.Tokens = file, tokens
		return r.improved()
	})
}

// improved reports the best file, as a part of an update.
func (r *reduction) improved() error {
	return r.Observe.observe(Improved{parse.Measure{Tokens: r.result.Tokens, File: r.result.File}})
}
