package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/failure"
	"whittle/internal/valid"
	"whittle/oracle"
)

// Valid configures the validity checks. By default they are all known programs that accept the
// input.
type Valid struct {
	Off     bool
	On      bool   // warn if there is no program
	Command string // only this shell command
}

// Guard adds the validity checks to the test. It must be called after Recognise, and before the
// journal is opened, whose identity includes the checks. The error may be a [*valid.SameError].
func (r *Run) Guard(ctx context.Context) error {
	finder := r.Chain.Programs()
	in := r.guardInput()
	var err error
	if r.Test.Differs != nil {
		guards := !r.Valid.Off && r.Valid.Command == ""
		if r.differs, err = r.Test.Differs.Find(ctx, finder, &r.host.machine, in, guards); err != nil {
			return err
		}
		for _, note := range r.differs.Notes {
			r.Warn(note)
		}
	}
	asked := r.mayGuard(ctx, in)
	if r.Guards, err = valid.Find(ctx, finder, asked, in); err != nil {
		return err
	}
	if err := r.unguarded(in.Language, asked); err != nil {
		return err
	}
	if !r.Valid.Off && r.Valid.Command == "" {
		whole, err := valid.Find(ctx, finder, valid.Whole(ctx, &r.host.machine, in), in)
		if err != nil {
			return err
		}
		r.Guards = append(r.Guards, whole...)
	}
	sanitizers, err := r.sanitizers(ctx, finder, in)
	if err != nil {
		return err
	}
	r.Guards = append(r.Guards, sanitizers...)
	if r.Crash, err = r.findPlace(ctx, finder, in); err != nil {
		return err
	}
	stages := valid.Stages(r.Guards)
	if r.Test.Differs != nil {
		// Undefined behaviour shows no wrong code: it is uninteresting, not unresolved.
		for i := range stages {
			stages[i].Refused = algo.Uninteresting
		}
		r.Agree = r.differs.Checks()
		stages = slices.Concat(r.differs.Sides(), stages, r.Agree)
	}
	if r.Crash != nil {
		stages = append(stages, r.Crash.Stage)
	}
	if len(stages) > 0 {
		r.Chain.SetStages(stages, r.Test.Differs != nil)
	}
	return nil
}

func (r *Run) mayGuard(ctx context.Context, in valid.Input) []valid.Check {
	switch {
	case r.Valid.Command != "":
		return []valid.Check{valid.Command(r.Valid.Command)}
	case r.Valid.Off:
		return nil
	}
	return valid.Asked(ctx, &r.host.machine, in)
}

// sanitizers returns sanitizers that accept the input, if the test runs the program in the file.
// Commands of known compilers do not, and tests of two commands have sanitizers as stages.
func (r *Run) sanitizers(ctx context.Context, finder oracle.Executor, in valid.Input) ([]valid.Check, error) {
	program, _ := in.Program(ctx, &r.host.machine)
	if r.Valid.Off || r.Valid.Command != "" || r.Test.Differs != nil || program.Tool != nil || r.Input.Set != nil {
		return nil, nil
	}
	ends, goesOn, ok := in.Probes(ctx, &r.host.machine)
	if !ok {
		return nil, nil
	}
	found, err := valid.Find(ctx, finder, valid.Sanitized(ctx, &r.host.machine, in), in)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if outcome, err := r.Bare().Ask(ctx, ends); err != nil || outcome == algo.Interesting {
		return nil, err
	}
	if outcome, err := r.Bare().Ask(ctx, goesOn); err != nil || outcome != algo.Interesting {
		return nil, err
	}
	return found, nil
}

// Locate finds the place of a crash, as Guard does.
func (r *Run) Locate(ctx context.Context) (err error) {
	r.Crash, err = r.findPlace(ctx, r.Chain.Programs(), r.guardInput())
	return err
}

// findPlace finds the place of a crash known only by its signal, and the warnings of a project.
// It may return nil.
func (r *Run) findPlace(ctx context.Context, e oracle.Executor, in valid.Input) (*valid.CrashPlace, error) {
	if !r.Test.Inline || r.Failure.Title == "" || r.Valid.Off || r.Valid.Command != "" {
		return nil, nil
	}
	signal := r.Failure.Kind == failure.Death && r.Failure.Strong
	reads := strings.Split(r.Input.Language.Name, ", ")
	project := r.Input.Set != nil && (slices.Contains(reads, "c") || slices.Contains(reads, "cpp"))
	wanted := valid.PlaceInput{
		Input: in, Crash: signal || r.Failure.Kind == "fatal error", Debug: signal, Warns: project,
		Took: r.Failure.Run.Elapsed,
	}
	if !wanted.Crash && !wanted.Warns {
		return nil, nil
	}
	return valid.FindPlace(ctx, e, &r.host.machine, wanted)
}

// Finding checks may take slowChecks times the duration of the test, at least leastChecks.
const (
	leastChecks = 20 * time.Second
	slowChecks  = 20
)

func (r *Run) guardInput() valid.Input {
	in := valid.Input{
		File: r.Input.Bytes, Spec: r.Chain.Timeout.Limit(r.Spec), Language: grammars.ForFile(r.Input.FileName()).Name,
	}
	// A compiler with an error per line may take minutes for a test of milliseconds.
	if r.took > 0 {
		in.Budget = max(leastChecks, slowChecks*r.took)
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
	return in
}

func (r *Run) unguarded(language string, asked []valid.Check) error {
	switch {
	case len(r.Guards) > 0:
	case r.Valid.Command != "":
		return fmt.Errorf("--valid: %s does not accept %s, as it does not exit with 0", r.Valid.Command, r.Input)
	case len(asked) > 0:
		r.Rejected = valid.Names(asked)
	case r.Valid.On:
		r.Warn(fmt.Sprintf("--valid: there is no program for %s on PATH; going on without", language))
	}
	return nil
}

// Guarded describes the validity checks in sentences.
func (r *Run) Guarded() (all []string) {
	var names []string
	for _, g := range r.Guards {
		names = append(names, g.String())
	}
	if len(names) > 0 {
		all = append(all, fmt.Sprintf("keeping it valid for %s; --no-valid switches that off",
			english.OxfordWordSeries(names, "and")))
	}
	if r.Rejected != "" {
		all = append(all, fmt.Sprintf("the result may be invalid, as %s is: rejected by %s", r.Input, r.Rejected))
	}
	if len(r.Agree) > 0 {
		all = append(all, fmt.Sprintf("one side is right, as %s say, and have to say of the result, too",
			chain.Names(r.Agree)))
	}
	return all
}
