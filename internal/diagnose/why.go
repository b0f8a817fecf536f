package diagnose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whittle/internal/failure"
	"whittle/internal/printable"
	"whittle/oracle"
)

// Experiments on an uninteresting input may take CauseTime plus causeRuns times the duration of
// the test. The user is warned if that is above causeLong.
const (
	CauseTime = 10 * time.Second
	causeRuns = 15
	causeLong = 2 * time.Second
	hangTime  = 30 * time.Second // for a test that hangs
)

// Why finds by experiments why the input is not interesting, and warns if that takes long. first is
// a run on the input. It returns complete lines, or "" if unknown.
func (t *Test) Why(ctx context.Context, first oracle.Run, warn func(text string)) (string, error) {
	limit := CauseTime + causeRuns*first.Elapsed
	if first.TimedOut {
		limit = min(limit, hangTime)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if first.TimedOut {
		warn(fmt.Sprintf("%s has not ended after %v on %s; looking for the cause, for %v at most", t.Shown,
			first.Elapsed.Round(time.Second), t.ShownFile, limit.Round(time.Second)))
	} else if first.Elapsed > causeLong {
		warn(fmt.Sprintf("%s is not interesting; looking for the cause, for %v at most", t.ShownFile,
			limit.Round(time.Second)))
	}
	var cause *Cause
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

// Nothing returns a [*failure.UnfitError] about a result at path from which everything was deleted. A test
// that accepts an empty file accepts any file.
func (t *Test) Nothing(ctx context.Context, path string) error {
	text := fmt.Sprintf("nothing is left of %s: %s finds even that interesting, and so may not look at it; "+
		"%s has what is left", t.ShownFile, t.Shown, path)
	cause, err := t.whyAlways(ctx)
	if err != nil {
		return err
	}
	if cause != nil {
		text += fmt.Sprintf("\nThe cause: %s.\n  -> %s", cause.What, cause.Advice)
	}
	return failure.Unfitf("%s", text)
}

// whyAlways is WhyAlways; nil means too little time.
func (t *Test) whyAlways(ctx context.Context) (*Cause, error) {
	limited, cancel := context.WithTimeout(ctx, CauseTime)
	defer cancel()
	cause, err := t.WhyAlways(limited)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, nil
	}
	return cause, err
}

// Senseless returns a [*failure.UnfitError] with cause and advice if an empty file or garbage is interesting.
func (t *Test) Senseless(ctx context.Context, garbage bool) error {
	const force = "Nothing was reduced, and nothing written; --force goes on all the same."
	if garbage {
		return failure.Unfitf("%s finds garbage as interesting as %s: any broken file will do for it, "+
			"and the result would have another bug, or none\n"+
			"  -> search for the message of your bug, not for any error; or let whittle find out what it is known by:\n"+
			"     whittle %s -- COMMAND, with the command that fails\n%s", t.Shown, t.ShownFile, t.ShownFile, force)
	}
	cause, err := t.whyAlways(ctx)
	if err != nil {
		return err
	}
	if cause == nil {
		cause = &Cause{"it finds an empty file interesting", "see 'whittle check'"}
	}
	return failure.Unfitf("%s", printable.String(fmt.Sprintf(
		"%s finds an empty file as interesting as %s: nothing would be left\n"+
			"The cause: %s.\n  -> %s\n%s", t.Shown, t.ShownFile, cause.What, cause.Advice, force)))
}

// A Line is a message; a detail needs --verbose.
type Line struct {
	Text   string
	Detail bool
}

// Describe describes a failure and its alternatives.
func (t *Test) Describe(found Failure) (lines []Line) {
	line := func(format string, args ...any) { lines = append(lines, Line{Text: fmt.Sprintf(format, args...)}) }
	switch {
	case found.Title != "":
		line("looking for: %s", found.Called())
	case t.Command:
		line("looking for: exit code 0, as of a test: %s ends otherwise on an empty file and on garbage", t.Shown)
	}
	if found.Dropped != "" {
		line("%s", found.Dropped)
	}
	for _, shown := range found.Shown {
		lines = append(lines, Line{"  " + shown, true})
	}
	var others []string
	for _, other := range found.Others {
		same := slices.Equal(other.Shown, found.Shown) && len(other.Shown) > 0
		if flags := Flags(other); flags != "" && len(others) < 3 && !same {
			others = append(others, flags)
		}
	}
	if len(others) > 0 && !found.Strong {
		line("if that is not your bug, give %s", strings.Join(others, ", or "))
	} else if len(others) > 0 {
		lines = append(lines, Line{"it could also be known by " + strings.Join(others, ", or "), true})
	}
	return lines
}
