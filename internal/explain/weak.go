package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/oracle"
)

// Weak returns a warning and advice if other failures meet the criterion. It must be called after
// Guard or Locate.
func Weak(ctx context.Context, r *run.Run) (warning, advice string, err error) {
	weak := r.Spec.Interesting.Weak()
	if weak == "" || r.Crash != nil && r.Crash.Title != "" {
		return "", "", nil
	}
	limited, cancel := context.WithTimeout(ctx, causeTime)
	defer cancel()
	command, title, err := stronger(limited, r)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = nil
	}
	switch {
	case err != nil:
		return "", "", err
	case command != "":
		advice = fmt.Sprintf("stronger, as it looks for %s: %s", title, command)
	case r.Test.Inline:
		advice = fmt.Sprintf("stronger: a script that checks more; this writes one to begin with: "+
			"whittle test %s -- %s >test.sh", shell.Join(r.Input.Paths), r.Test)
	default:
		advice = "stronger: give --interesting-output with a line that only this failure prints"
	}
	return fmt.Sprintf("weak criterion: %s is interesting, so the result may show another bug", weak), advice, nil
}

// stronger returns a command line with a stronger criterion and its failure's title. It was tried
// on the input, an empty file and garbage.
func stronger(ctx context.Context, r *run.Run) (command, title string, err error) {
	found := r.Failure
	given := !r.Interesting.IsZero()
	if given {
		t := r.Diagnosis()
		t.Spec.Interesting, t.Command = oracle.Criteria{}, true
		found, err = t.Recognise(ctx)
		if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
			return "", "", nil
		}
		if err != nil {
			return "", "", err
		}
	}
	if found.Title != "" && found.Criteria.Weak() == "" && given && r.Test.Inline {
		return commandLine(r, ""), found.Title, nil // recognised without flags
	}
	if title, err = place(ctx, r, found); err != nil {
		return "", "", err
	} else if title != "" {
		return commandLine(r, ""), title, nil
	}
	for _, signature := range slices.Concat([]failure.Signature{found.Signature}, found.Others, found.Own) {
		flags := diagnose.Flags(signature)
		if signature.Title != "" && signature.Criteria.Weak() == "" && flags != "" {
			return commandLine(r, flags), signature.Title, nil
		}
	}
	return "", "", nil
}

// place returns the title of the crash without the user's criteria, or "".
func place(ctx context.Context, r *run.Run, found diagnose.Failure) (title string, err error) {
	if !r.Test.Inline || r.Interesting.IsZero() && !r.Valid.Off && r.Valid.Command == "" {
		return "", nil // Locate has looked for it
	}
	was, interesting, valid, crash := r.Failure, r.Spec.Interesting, r.Valid, r.Crash
	defer func() { r.Failure, r.Spec.Interesting, r.Valid, r.Crash = was, interesting, valid, crash }()
	r.Failure, r.Spec.Interesting, r.Valid = found, found.Criteria, run.Valid{}
	if err := r.Locate(ctx); err != nil || r.Crash == nil {
		return "", err
	}
	return r.Crash.Title, nil
}

func commandLine(r *run.Run, flags string) string {
	words := []string{"whittle"}
	if flags != "" {
		words = append(words, flags)
	}
	if r.Test.Inline {
		return strings.Join(append(words, shell.Join(r.Input.Paths), "--", r.Test.String()), " ")
	}
	return strings.Join(append(words, r.Test.String(), shell.Join(r.Input.Paths)), " ")
}
