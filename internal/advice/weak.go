package advice

import (
	"context"
	"errors"
	"fmt"

	"whittle/internal/run"
	"whittle/internal/shell"
)

// Weak returns what to say of a criterion that other failures meet as well, and a command line
// with a stronger one; "" if it identifies the failure.
func Weak(ctx context.Context, s *run.Run) (text, stronger string, err error) {
	weak := s.Weak()
	if weak == "" {
		return "", "", nil
	}
	limited, cancel := context.WithTimeout(ctx, causeTime)
	defer cancel()
	command, looksFor, err := s.Stronger(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = nil
	}
	switch {
	case err != nil:
		return "", "", err
	case command != "":
		stronger = fmt.Sprintf("stronger, as it looks for %s: %s", looksFor, command)
	case s.Test.Inline:
		stronger = fmt.Sprintf("stronger: a script that checks more; this writes one to begin with: "+
			"whittle test %s -- %s >test.sh", shell.Join(s.Input.Paths), s.Test)
	default:
		stronger = "stronger: give --interesting-output with a line that only this failure prints"
	}
	return fmt.Sprintf("weak criterion: %s is interesting, so the result may show another bug", weak), stronger, nil
}
