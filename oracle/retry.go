package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrLost says that nobody knows how a test ended, as when the machine that ran it
// went away, and that another attempt may do better.
var ErrLost = errors.New("the test was lost")

// Retry runs a test again that its Executor has lost: up to Times in all, or with a Pause
// as long as it has Patience. What is lost each time is an [*EnvironmentError].
type Retry struct {
	Executor Executor
	Times    int // 0 is any number, if there is Patience

	Pause    time.Duration // before the second attempt; twice as long before each further one
	Patience time.Duration // no further attempt begins so long after the first; 0 is no limit
	// Waits is told, from any goroutine, of what was lost and how long it waits now; nil is
	// nobody.
	Waits func(lost error, pause time.Duration)
}

// longestPause is the longest between two attempts.
const longestPause = time.Minute

// Run is that of an [Executor].
func (r *Retry) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	began, pause := time.Now(), r.Pause
	for attempts := 1; ; attempts++ {
		run, err := r.Executor.Run(ctx, spec, candidate)
		if !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return run, err
		}
		left := r.Patience - time.Since(began)
		if r.Patience > 0 && left <= 0 || r.Times > 0 && attempts >= r.Times || r.Times <= 0 && r.Patience <= 0 {
			tried := "once"
			if attempts > 1 {
				tried = fmt.Sprintf("%d times", attempts)
			}
			if r.Patience > 0 {
				tried += fmt.Sprintf(" in %v", time.Since(began).Round(time.Second))
			}
			return Run{}, &EnvironmentError{Err: fmt.Errorf("%w (tried %s)", err, tried)}
		}
		if pause > 0 {
			if r.Patience > 0 {
				pause = min(pause, left)
			}
			if r.Waits != nil {
				r.Waits(err, pause)
			}
			if err := sleep(ctx, pause); err != nil {
				return Run{}, err
			}
			pause = min(2*pause, longestPause)
		}
	}
}

// sleep waits so long; the error is ctx's.
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

// A Loser takes what ends with one of some exit codes for lost: the program that was run is
// not the test, but starts it elsewhere, as srun or ssh do, and says so that it could not.
type Loser struct {
	Executor Executor
	Codes    []int
}

// Run is that of an [Executor].
func (l *Loser) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	run, err := l.Executor.Run(ctx, spec, candidate)
	if err == nil && slices.ContainsFunc(l.Codes, run.Ended) {
		return Run{}, fmt.Errorf("it ended with exit code %d, which says that it was not tested: %w", run.ExitCode, ErrLost)
	}
	return run, err
}
