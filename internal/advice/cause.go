package advice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whittle/diagnose"
	"whittle/internal/printable"
	"whittle/oracle"
)

// How long the cause of an uninteresting input is looked for: some seconds, and the
// time of so many tests. Where a test takes long, the user is told.
const (
	causeTime = 10 * time.Second
	causeRuns = 15
	causeLong = 2 * time.Second
)

// cause returns what experiments find out about an input that is not interesting, as
// lines that end with a line break; "" if that is nothing.
func (c Case) cause(ctx context.Context, first oracle.Run) (string, error) {
	limit := causeTime + causeRuns*first.Elapsed
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if first.Elapsed > causeLong {
		c.Tell("%s is not interesting; looking for the cause, for %v at most", c.Input, limit.Round(time.Second))
	}
	t := c.Diagnosis()
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

// A NothingError says that a reduction has taken away everything.
type NothingError struct{ text string }

func (e *NothingError) Error() string { return e.text }

// Nothing returns the error of a reduction that has taken away everything: a test that
// finds that interesting finds anything interesting. It says why, if that can be
// found out. The result is what was written to path.
func (c Case) Nothing(ctx context.Context, path string) error {
	text := fmt.Sprintf("nothing is left of %s: %s finds even that interesting, and so may not look at it; "+
		"%s has what is left", c.Input, c.Test, path)
	limited, cancel := context.WithTimeout(ctx, causeTime)
	defer cancel()
	cause, err := c.Diagnosis().WhyAlways(limited)
	switch {
	case err == nil:
		text += fmt.Sprintf("\nThe cause: %s.\n  -> %s", cause.What, cause.Advice)
	case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &NothingError{text}
}
