package main

import (
	"context"
	"errors"
	"fmt"
)

// nothingLeft is the error of a reduction that has taken away everything: a test that
// says yes to that says yes to anything. It tells why, if that can be found out.
func (r *reduction) nothingLeft(ctx context.Context, call call) error {
	message := fmt.Sprintf("nothing is left of %s: %s says yes even to that, and so may not look at it; %s has what is left",
		r.subject, call, r.out.Path)
	t := newPatient(r.subject, call)
	if call.server != "" {
		t.Ask = r.test.Explain
	}
	limited, cancel := context.WithTimeout(ctx, whyTime)
	defer cancel()
	cause, err := t.WhyAlways(limited)
	switch {
	case err == nil:
		message += fmt.Sprintf("\nThe cause: %s.\n  -> %s", cause.What, cause.Advice)
	case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return nothing(message)
}

// nothing says that nothing is left.
type nothing string

func (n nothing) Error() string { return string(n) }
