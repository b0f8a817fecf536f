package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/diagnose"
	"whittle/internal/run"
)

// A Line is a message; a detail needs --verbose.
type Line struct {
	Text   string
	Detail bool
}

// Recognised describes the criterion and its alternatives. With weak it warns if other failures
// meet the criterion.
func Recognised(ctx context.Context, r *run.Run, weak bool) (lines []Line, err error) {
	line := func(format string, args ...any) { lines = append(lines, Line{Text: fmt.Sprintf(format, args...)}) }
	if r.Prepared != "" {
		line("%s", r.Prepared)
	}
	found := r.Failure
	switch {
	case found.Title != "":
		line("looking for: %s", found.Called())
	case r.Diagnosis().Command:
		line("looking for: exit code 0, as of a test: %s ends otherwise on an empty file and on garbage", r.Test)
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
		if flags := diagnose.Flags(other); flags != "" && len(others) < 3 && !same {
			others = append(others, flags)
		}
	}
	if len(others) > 0 && !found.Strong {
		line("if that is not your bug, give %s", strings.Join(others, ", or "))
	} else if len(others) > 0 {
		lines = append(lines, Line{"it could also be known by " + strings.Join(others, ", or "), true})
	}
	if weak {
		var text, stronger string
		if text, stronger, err = Weak(ctx, r); text != "" {
			line("%s", text)
			line("%s", stronger)
		}
	}
	return lines, err
}
