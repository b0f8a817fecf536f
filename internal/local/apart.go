package local

import (
	"context"
	"fmt"

	"whittle/internal/sandbox"
	"whittle/internal/shell"
	"whittle/oracle"
)

// An ApartError says that a command fails in another way in a copy of the directory of its project.
type ApartError struct {
	Dir             string
	Outside, Inside oracle.Run // in the directory, and in the copy
}

func (e *ApartError) Error() string {
	return fmt.Sprintf("the command fails in another way in a copy of %s, as if it needs files outside of it",
		shell.Quote(e.Dir))
}

// apart returns an [*ApartError] if both runs are repeated with the same results, so that the test is not flaky.
func (t *Trial) apart(ctx context.Context, box *sandbox.Sandbox, start string, outside, inside oracle.Run) error {
	if start == "" {
		return nil
	}
	again, copied, _, err := t.both(ctx, box, start)
	if err != nil || !t.same(outside, again) || !t.same(inside, copied) || t.same(again, copied) {
		return err
	}
	return &ApartError{t.Project, outside, inside}
}
