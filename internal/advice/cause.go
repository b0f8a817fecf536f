package advice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whittle/internal/diagnose"
	"whittle/internal/printable"
	"whittle/internal/reduction"
	"whittle/oracle"
)

// How long the cause of an uninteresting input is looked for: some seconds, and the
// time of so many tests. Where a test takes long, the user is told.
const (
	causeTime = 10 * time.Second
	causeRuns = 15
	causeLong = 2 * time.Second
	hangTime  = 30 * time.Second // at most, of a test that hangs
)

// cause returns what experiments find out about an input that is not interesting, as
// lines that end with a line break; "" if that is nothing.
func (c Case) cause(ctx context.Context, first oracle.Run) (string, error) {
	limit := causeTime + causeRuns*first.Elapsed
	if first.TimedOut {
		limit = min(limit, hangTime)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if first.TimedOut {
		c.tell("%s has not ended after %v on %s; looking for the cause, for %v at most", c.Test,
			first.Elapsed.Round(time.Second), c.Input, limit.Round(time.Second))
	} else if first.Elapsed > causeLong {
		c.tell("%s is not interesting; looking for the cause, for %v at most", c.Input, limit.Round(time.Second))
	}
	t := c.Diagnosis()
	var cause *diagnose.Cause
	var err error
	switch {
	case t.Command:
		cause, err = t.WhyUnknown(limited, first)
	case !first.TimedOut:
		if cause, err = t.Inverted(limited); cause == nil && err == nil {
			cause, err = t.Flaky(limited)
		}
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

// A SenselessError says that a test finds interesting what cannot have the problem.
type SenselessError struct{ text string }

func (e *SenselessError) Error() string { return e.text }

// Senseless returns the error of a test that finds an empty file or garbage as
// interesting as the input, with the reason, if that can be found out, and with what
// to do.
func (c Case) Senseless(ctx context.Context, found *reduction.SenselessError) error {
	const force = "Nothing was reduced, and nothing written; --force goes on all the same."
	if found.Garbage {
		return &SenselessError{fmt.Sprintf("%s finds garbage as interesting as %s: any broken file will do for it, "+
			"and the result would have another bug, or none\n"+
			"  -> search for the message of your bug, not for any error; or let whittle find out what it is known by:\n"+
			"     whittle %s -- COMMAND, with the command that fails\n%s", c.Test, c.Input, c.Input, force)}
	}
	limited, cancel := context.WithTimeout(ctx, causeTime)
	defer cancel()
	cause, err := c.Diagnosis().WhyAlways(limited)
	switch {
	case err == nil:
	case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
		return err
	default:
		cause = &diagnose.Cause{What: "it finds an empty file interesting", Advice: "see 'whittle check'"}
	}
	return &SenselessError{printable.String(fmt.Sprintf(
		"%s finds an empty file as interesting as %s: nothing would be left\n"+
			"The cause: %s.\n  -> %s\n%s", c.Test, c.Input, cause.What, cause.Advice, force))}
}

func (c Case) tell(format string, args ...any) {
	if c.Tell == nil {
		c.Warn(fmt.Sprintf(format, args...))
		return
	}
	c.Tell(format, args...)
}
