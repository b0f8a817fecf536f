package explain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whittle/internal/diagnose"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/oracle"
)

// Experiments on an uninteresting input may take causeTime plus causeRuns times the duration of
// the test. The user is warned if that is above causeLong.
const (
	causeTime = 10 * time.Second
	causeRuns = 15
	causeLong = 2 * time.Second
	hangTime  = 30 * time.Second // for a test that hangs
)

// cause finds by experiments why the input is not interesting. It returns complete lines, or ""
// if unknown.
func cause(ctx context.Context, r *run.Run, first oracle.Run) (string, error) {
	limit := causeTime + causeRuns*first.Elapsed
	if first.TimedOut {
		limit = min(limit, hangTime)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if first.TimedOut {
		warnf(r, "%s has not ended after %v on %s; looking for the cause, for %v at most", r.Test,
			first.Elapsed.Round(time.Second), r.Input, limit.Round(time.Second))
	} else if first.Elapsed > causeLong {
		warnf(r, "%s is not interesting; looking for the cause, for %v at most", r.Input, limit.Round(time.Second))
	}
	t := r.Diagnosis()
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
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return "", nil
	}
	if cause == nil || err != nil {
		return "", err
	}
	return printable.String(fmt.Sprintf("The cause: %s.\n  -> %s\n", cause.What, cause.Advice)), nil
}

// An Error explains why a test is useless for a reduction.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

// Nothing returns an [*Error] about a result at path from which everything was deleted. A test that accepts
// an empty file
// accepts any file.
func Nothing(ctx context.Context, r *run.Run, path string) error {
	text := fmt.Sprintf("nothing is left of %s: %s finds even that interesting, and so may not look at it; "+
		"%s has what is left", r.Input, r.Test, path)
	cause, err := whyAlways(ctx, r)
	if err != nil {
		return err
	}
	if cause != nil {
		text += fmt.Sprintf("\nThe cause: %s.\n  -> %s", cause.What, cause.Advice)
	}
	return &Error{text}
}

// whyAlways finds why an empty file is interesting; nil means too little time.
func whyAlways(ctx context.Context, r *run.Run) (*diagnose.Cause, error) {
	limited, cancel := context.WithTimeout(ctx, causeTime)
	defer cancel()
	cause, err := r.Diagnosis().WhyAlways(limited)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, nil
	}
	return cause, err
}

// senseless returns an [*Error] with cause and advice if an empty file or garbage is interesting.
func senseless(ctx context.Context, r *run.Run, garbage bool) error {
	const force = "Nothing was reduced, and nothing written; --force goes on all the same."
	if garbage {
		return &Error{fmt.Sprintf("%s finds garbage as interesting as %s: any broken file will do for it, "+
			"and the result would have another bug, or none\n"+
			"  -> search for the message of your bug, not for any error; or let whittle find out what it is known by:\n"+
			"     whittle %s -- COMMAND, with the command that fails\n%s", r.Test, r.Input, r.Input, force)}
	}
	cause, err := whyAlways(ctx, r)
	if err != nil {
		return err
	}
	if cause == nil {
		cause = &diagnose.Cause{What: "it finds an empty file interesting", Advice: "see 'whittle check'"}
	}
	return &Error{printable.String(fmt.Sprintf(
		"%s finds an empty file as interesting as %s: nothing would be left\n"+
			"The cause: %s.\n  -> %s\n%s", r.Test, r.Input, cause.What, cause.Advice, force))}
}

func warnf(r *run.Run, format string, args ...any) { r.Warn(fmt.Sprintf(format, args...)) }
