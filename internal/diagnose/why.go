package diagnose

import (
	"context"
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
	slowLimit = 5                // times the duration, for a command that may only be slow
)

// Why finds by experiments why the input is not interesting, and warns if that takes long. first is
// a run on the input. It returns complete lines, or "" if unknown.
func (t *Test) Why(ctx context.Context, first oracle.Run) (string, error) {
	limit := causeLimit(first)
	if end, limited := ctx.Deadline(); limited {
		limit = min(limit, time.Until(end))
	}
	if first.TimedOut {
		limit = min(limit, hangTime)
		t.Warn(fmt.Sprintf("%s has not ended after %v on %s; looking for the cause, for %v at most", t.Shown,
			first.Elapsed.Round(time.Second), t.ShownFile, limit.Round(time.Second)))
	} else if first.Elapsed > causeLong {
		t.Warn(fmt.Sprintf("%s is not interesting; looking for the cause, for %v at most", t.ShownFile,
			limit.Round(time.Second)))
	}
	var all []diagnosis
	if !t.Command && !first.TimedOut {
		if all = append(all, t.inverted); t.Repeat > 1 {
			all = append(all, t.unsteady)
		}
	}
	all = append(all, func(ctx context.Context) (*Cause, error) { return t.WhyNot(ctx, first) })
	cause, err := within(ctx, limit, all...)
	if cause == nil || err != nil {
		return "", err
	}
	return printable.String(cause.String() + "\n"), nil
}

func causeLimit(first oracle.Run) time.Duration { return CauseTime + causeRuns*first.Elapsed }

// within returns the first cause that is found in time, or nil. An experiment that cannot run is no cause.
func within(ctx context.Context, limit time.Duration, all ...diagnosis) (*Cause, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cause, err := try(limited, all...)
	if ctx.Err() == nil && err != nil {
		return nil, nil
	}
	return cause, err
}

// Nothing returns a [*failure.UnfitError] about a result at path from which everything was deleted. A test
// that accepts an empty file accepts any file.
func (t *Test) Nothing(ctx context.Context, path string) error {
	text := fmt.Sprintf("nothing is left of %s: %s finds even that interesting, and so may not look at it; "+
		"%s has what is left", t.ShownFile, t.Shown, path)
	cause, err := within(ctx, CauseTime, t.whyAlways)
	if err != nil {
		return err
	}
	if cause != nil {
		text += "\n" + cause.String()
	}
	return failure.Unfitf("%s", text)
}

// A SenselessError reports that a file that cannot have the bug is interesting. The reduction
// would end there.
type SenselessError struct{ Garbage bool } // otherwise an empty file

func (e *SenselessError) Error() string {
	if e.Garbage {
		return "the test finds garbage interesting"
	}
	return "the test finds an empty file interesting"
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
	cause, err := within(ctx, CauseTime, t.whyAlways)
	if err != nil {
		return err
	}
	if cause == nil {
		cause = &Cause{"it finds an empty file interesting", "see 'whittle check'"}
	}
	return failure.Unfitf("%s", printable.String(fmt.Sprintf(
		"%s finds an empty file as interesting as %s: nothing would be left\n%v\n%s", t.Shown, t.ShownFile, cause, force)))
}

// A Line is a message; a detail needs --verbose.
type Line struct {
	Text   string
	Detail bool
}

// longFlags are too long for a list.
const longFlags = 160

// Describe describes a failure and its alternatives.
func (t *Test) Describe(found Failure) (lines []Line) {
	line := func(format string, args ...any) { lines = append(lines, Line{Text: fmt.Sprintf(format, args...)}) }
	switch {
	case found.Limit > 0:
		what := fmt.Sprintf("no end within %v", found.Limit)
		if found.Idle > 0 {
			what = fmt.Sprintf("no processor time for %v", found.Idle)
		}
		line("looking for: %s, as it had not ended after %s; if it is only slow, give --timeout %s",
			what, short(found.Run.Elapsed), (slowLimit * found.Run.Elapsed).Round(time.Second))
	case found.Title != "":
		line("looking for: %s", found.Called())
	case t.Command:
		line("looking for: exit code 0, as of a test: %s ends otherwise on %s and on garbage", t.Shown, t.empty())
	}
	if found.Title != "" && found.Run.Ended(0) {
		line("%s exits with 0, so only its output counts", t.Shown)
	}
	if found.Dropped != "" {
		line("%s", found.Dropped)
	}
	for _, shown := range found.Shown {
		lines = append(lines, Line{"  " + shown, true})
	}
	var others []string
	exits := true // no other one looks for more than an exit code
	told := slices.Clone(found.Shown)
	for _, other := range found.Others {
		same := len(other.Shown) > 0 && slices.Contains(told, other.Shown[0])
		if found.Strong { // of the same line, another form is a suggestion, too
			same = same && slices.Equal(other.Shown, found.Shown)
		}
		warns := other.Kind == failure.Message && other.Weak() != ""
		if flags := Flags(other); flags != "" && len(flags) < longFlags && len(others) < 3 && !same && !warns &&
			!other.Vague(found.Run.Output) {
			others, exits = append(others, flags), exits && other.Kind == failure.ExitCode
			told = append(told, other.Shown...)
		}
	}
	if len(others) > 0 && !found.Strong && !exits {
		line("if that is not your bug, give %s", strings.Join(others, ", or "))
	} else if len(others) > 0 {
		lines = append(lines, Line{"it could also be known by " + strings.Join(others, ", or "), true})
	}
	return lines
}
