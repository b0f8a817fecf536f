package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whittle/oracle"
)

// Retry configures the repetition of lost tests. Without Exits no test is lost.
type Retry struct {
	// Exits are exit codes of lost tests, from a program, as srun or ssh, that starts the test on
	// another machine.
	Exits    []int
	Patience time.Duration // from first to last attempt; 0 means ten minutes

	// Waits, if not nil, is called before each pause, from any goroutine.
	Waits func(lost error, pause time.Duration)
}

// Default of Retry, and the pauses between attempts.
const (
	defaultPatience = 10 * time.Minute
	firstPause      = time.Second // then it doubles
	longestPause    = time.Minute
)

func (r Retry) around(e oracle.Executor) oracle.Executor {
	if len(r.Exits) == 0 {
		return e
	}
	r.Patience = cmp.Or(r.Patience, defaultPatience)
	return &retry{r, e}
}

// retry runs lost tests again until its patience ends. Then the error is an
// [*oracle.EnvironmentError].
type retry struct {
	Retry
	executor oracle.Executor
}

func (r *retry) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	began, pause := time.Now(), firstPause
	for attempts := 1; ; attempts++ {
		run, err := r.attempt(ctx, spec, candidate)
		if !errors.Is(err, oracle.ErrLost) || ctx.Err() != nil {
			return run, err
		}
		took := time.Since(began)
		if took >= r.Patience {
			tried := "once"
			if attempts > 1 {
				tried = fmt.Sprintf("%d times", attempts)
			}
			return oracle.Run{}, oracle.Errorf("%w (tried %s in %v)", err, tried, took.Round(time.Second))
		}
		pause = min(pause, r.Patience-took)
		if r.Waits != nil {
			r.Waits(err, pause)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return oracle.Run{}, ctx.Err()
		}
		pause = min(2*pause, longestPause)
	}
}

func (r *retry) attempt(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	run, err := r.executor.Run(ctx, spec, candidate)
	if err == nil && slices.ContainsFunc(r.Exits, run.Ended) {
		return oracle.Run{}, fmt.Errorf("it ended with exit code %d, which says that it was not tested: %w",
			run.ExitCode, oracle.ErrLost)
	}
	return run, err
}
