package run

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/grammars"
	"whittle/internal/failure"
	"whittle/internal/valid"
)

// Guard adds the validity checks to the test. It must be called after Recognise, and before the
// journal is opened, whose identity includes the checks. The error may be a [*failure.UnfitError].
func (r *Run) Guard(ctx context.Context) (err error) {
	if r.Found, err = r.checks().Find(ctx); err != nil {
		return err
	}
	if stages := r.Found.Stages(); len(stages) > 0 {
		r.Chain.SetStages(stages, r.Test.Differs != nil)
	}
	return nil
}

// Locate finds the place of a crash, as Guard does.
func (r *Run) Locate(ctx context.Context) (err error) {
	r.Crash, err = r.checks().Place(ctx)
	return err
}

// Finding checks may take slowChecks times the duration of the test, at least leastChecks.
const (
	leastChecks = 20 * time.Second
	slowChecks  = 20
)

func (r *Run) checks() *valid.Finder {
	f := &valid.Finder{
		Options: r.Valid, Name: r.Input.String(), Single: r.Input.Set == nil, Differs: r.Test.Differs,
		Programs: r.Chain.Programs, Test: r.Bare(), Machine: &r.Host.machine, Warn: r.Warn,
	}
	in := &f.Input
	in.File, in.Spec = r.Input.Bytes, r.Chain.Timeout.Limit(r.Spec)
	in.Language = grammars.ForFile(r.Input.FileName()).Name
	// A compiler with an error per line may take minutes for a test of milliseconds.
	if r.Seen != nil {
		in.Budget = max(leastChecks, slowChecks*r.Seen.Elapsed)
	}
	for dir := r.Input.absolute()[0]; ; dir = filepath.Dir(dir) {
		in.Dirs = append(in.Dirs, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if r.Test.Inline {
		in.Command = r.Spec.Argv
		if r.Language != nil {
			in.Language = r.Language.Name
		}
	} else if r.Test.Differs != nil {
		in.Command, in.Right = strings.Fields(r.Test.Differs[0]), true
	}
	if r.Test.Inline && r.Failure.Title != "" {
		reads := strings.Split(r.Input.Language.Name, ", ")
		in.Warns = r.Input.Set != nil && r.Failure.Kind != failure.WrongValue && // not worth a second build
			(slices.Contains(reads, "c") || slices.Contains(reads, "cpp"))
		in.Debug = r.Failure.Kind == failure.Death && r.Failure.Strong // known only by its signal
		in.Crash, in.Took = in.Debug || r.Failure.Kind == "fatal error", r.Failure.Run.Elapsed
	}
	return f
}
