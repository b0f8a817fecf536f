package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whittle/diagnose"
	"whittle/internal/printable"
	"whittle/oracle"
)

// How long reduce looks for the cause of an uninteresting start: some seconds,
// and the time of so many tests. If a test takes long, it says so.
const (
	whyTime = 10 * time.Second
	whyRuns = 15
	whyLong = 2 * time.Second
)

// why gives what experiments find out about a test that says no, as lines that
// end with a line break; "" if that is nothing.
func why(ctx context.Context, t *diagnose.Test, first oracle.Run, say func(format string, args ...any)) (string, error) {
	limit := whyTime + whyRuns*first.Elapsed
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if first.Elapsed > whyLong {
		say("%s is not interesting; looking for the cause, for %v at most", t.ShownFile, limit.Round(time.Second))
	}
	var cause *diagnose.Cause
	var err error
	if !first.TimedOut {
		cause, err = t.Flaky(limited)
	}
	if cause == nil && err == nil {
		cause, err = t.WhyNot(limited, first)
	}
	if cause == nil || err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = nil
		}
		return "", err
	}
	return printable.String(fmt.Sprintf("The cause: %s.\n  -> %s\n", cause.What, cause.Advice)), nil
}
