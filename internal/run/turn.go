package run

import (
	"context"

	"whittle/algo"
)

// A Turn runs a test once it has its turn, and returns its error, or ctx's. It may cancel the
// test and run it again later. [whittle/search.Chance] says of ctx how urgent it is.
type Turn func(ctx context.Context, test func(context.Context) error) error

// turn has a question asked when it has its turn.
func (s *Run) turn(
	ctx context.Context, ask func(context.Context) (algo.Outcome, error),
) (outcome algo.Outcome, err error) {
	if s.Turn == nil {
		return ask(ctx)
	}
	err = s.Turn(ctx, func(ctx context.Context) (err error) {
		outcome, err = ask(ctx)
		return err
	})
	return outcome, err
}
