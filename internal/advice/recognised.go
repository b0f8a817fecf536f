package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/diagnose"
	"whittle/internal/run"
)

// A Line is a line of text for the user; Detail is one for those who want to know more.
type Line struct {
	Text   string
	Detail bool
}

// Recognised says what the failure of a command is known by, by what else it could be, and,
// if weak is true, whether other failures meet the criterion as well.
func Recognised(ctx context.Context, s *run.Run, weak bool) (lines []Line, err error) {
	line := func(format string, args ...any) { lines = append(lines, Line{Text: fmt.Sprintf(format, args...)}) }
	if s.Prepared != "" {
		line("%s", s.Prepared)
	}
	found := s.Failure
	switch {
	case found.Title != "":
		line("looking for: %s", found.Called())
	case s.Diagnosis().Command:
		line("looking for: exit code 0, as of a test: %s ends otherwise on an empty file and on garbage", s.Test)
	}
	if found.Dropped != "" {
		line("%s", found.Dropped)
	}
	for _, shown := range found.Shown {
		lines = append(lines, Line{"  " + shown, true})
	}
	var others []string
	for _, other := range found.Others {
		same := slices.Equal(other.Shown, found.Shown) && len(other.Shown) > 0 // with its names
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
		text, stronger, err := Weak(ctx, s)
		if text != "" {
			line("%s", text)
			line("%s", stronger)
		}
		return lines, err
	}
	return lines, nil
}
