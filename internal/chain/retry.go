package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whittle/oracle"
)

// Retry configures the repetition of tests that end with an error that wraps [oracle.ErrLost].
type Retry struct {
	// Exits are exit codes of lost tests, from a program, as srun or ssh, that starts the test on
	// another machine. With them, attempts have pauses, and Patience replaces Attempts.
	Exits    []int
	Patience time.Duration // from first to last attempt; 0 means ten minutes
	Attempts int           // 0 means 5

	// Waits, if not nil, is called before each pause, from any goroutine.
	Waits func(lost error, pause time.Duration)
}

// Defaults of Retry, and the pauses between attempts.
const (
	defaultPatience = 10 * time.Minute
	defaultAttempts = 5
	firstPause      = time.Second // then it doubles
	longestPause    = time.Minute
)

func (r *Retry) retry() Middleware {
	return func(e oracle.Executor) oracle.Executor {
		if len(r.Exits) == 0 {
			attempts := r.Attempts
			if attempts == 0 {
				attempts = defaultAttempts
			}
			return &retry{executor: e, attempts: attempts}
		}
		patience := r.Patience
		if patience == 0 {
			patience = defaultPatience
		}
		return &retry{executor: e, pause: firstPause, patience: patience, waits: r.Waits}
	}
}

// retry runs lost tests again, up to attempts times or until its patience ends. Then the error is
// an [*oracle.EnvironmentError].
type retry struct {
	executor oracle.Executor
	attempts int           // 0 means any number, with patience
	pause    time.Duration // before the second attempt
	patience time.Duration // 0 means no limit
	waits    func(lost error, pause time.Duration)
}

// Run implements [oracle.Executor].
func (r *retry) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	began, pause := time.Now(), r.pause
	for attempts := 1; ; attempts++ {
		run, err := r.executor.Run(ctx, spec, candidate)
		if !errors.Is(err, oracle.ErrLost) || ctx.Err() != nil {
			return run, err
		}
		left := r.patience - time.Since(began)
		if r.patience > 0 && left <= 0 || r.attempts > 0 && attempts >= r.attempts || r.attempts <= 0 && r.patience <= 0 {
			tried := "once"
			if attempts > 1 {
				tried = fmt.Sprintf("%d times", attempts)
			}
			if r.patience > 0 {
				tried += fmt.Sprintf(" in %v", time.Since(began).Round(time.Second))
			}
			return oracle.Run{}, &oracle.EnvironmentError{Err: fmt.Errorf("%w (tried %s)", err, tried)}
		}
		if pause > 0 {
			if r.patience > 0 {
				pause = min(pause, left)
			}
			if r.waits != nil {
				r.waits(err, pause)
			}
			if err := sleep(ctx, pause); err != nil {
				return oracle.Run{}, err
			}
			pause = min(2*pause, longestPause)
		}
	}
}

// sleep returns the error of ctx if that ends it.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// transientExits turns some exit codes into [oracle.ErrLost]; nil without any.
func (r *Retry) transientExits() Middleware {
	if len(r.Exits) == 0 {
		return nil
	}
	return func(e oracle.Executor) oracle.Executor { return &transientExit{e, r.Exits} }
}

type transientExit struct {
	executor oracle.Executor
	codes    []int
}

// Run implements [oracle.Executor].
func (l *transientExit) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	run, err := l.executor.Run(ctx, spec, candidate)
	if err == nil && slices.ContainsFunc(l.codes, run.Ended) {
		return oracle.Run{}, fmt.Errorf("it ended with exit code %d, which says that it was not tested: %w",
			run.ExitCode, oracle.ErrLost)
	}
	return run, err
}
