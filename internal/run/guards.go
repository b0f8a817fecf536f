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

// Valid says which guards there are. The zero value has those that accept the input.
type Valid struct {
	Off     bool
	On      bool   // it is told if there is no program that could be one
	Command string // a shell command of the user's, and no other
}

// Guard finds what guards the result, and puts it around the test. Whoever wants that
// calls it once the criterion is known, and before the journal is opened, which is of a
// run with these guards. The error may be a [*valid.SameError].
func (s *Run) Guard(ctx context.Context) error {
	finder := s.Chain.Programs()
	in := s.guardInput()
	var err error
	if s.Test.Differs != nil {
		guards := !s.Valid.Off && s.Valid.Command == ""
		if s.differs, err = s.Test.Differs.Find(ctx, finder, &s.host.machine, in, guards); err != nil {
			return err
		}
		for _, note := range s.differs.Notes {
			s.Warn(note)
		}
	}
	asked := s.mayGuard(ctx, in)
	if s.Guards, err = valid.Find(ctx, finder, asked, in); err != nil {
		return err
	}
	if err := s.unguarded(in.Language, asked); err != nil {
		return err
	}
	if !s.Valid.Off && s.Valid.Command == "" {
		whole, err := valid.Find(ctx, finder, valid.Whole(ctx, &s.host.machine, in), in)
		if err != nil {
			return err
		}
		s.Guards = append(s.Guards, whole...)
	}
	sanitizers, err := s.sanitizers(ctx, finder, in)
	if err != nil {
		return err
	}
	s.Guards = append(s.Guards, sanitizers...)
	if s.Crash, err = s.findPlace(ctx, finder, in); err != nil {
		return err
	}
	stages := valid.Stages(s.Guards)
	if s.Test.Differs != nil {
		// What may be undefined is no wrong code: that is an answer, none that is open.
		for i := range stages {
			stages[i].Refused = algo.Uninteresting
		}
		s.Agree = s.differs.Checks()
		stages = slices.Concat(s.differs.Sides(), stages, s.Agree)
	}
	if s.Crash != nil {
		stages = append(stages, s.Crash.Stage)
	}
	if len(stages) > 0 {
		s.Chain.SetStages(stages, s.Test.Differs != nil)
	}
	return nil
}

// mayGuard returns what may guard the result.
func (s *Run) mayGuard(ctx context.Context, in valid.Input) []valid.Check {
	switch {
	case s.Valid.Command != "":
		return []valid.Check{valid.Command(s.Valid.Command)}
	case s.Valid.Off:
		return nil
	}
	return valid.Asked(ctx, &s.host.machine, in)
}

// sanitizers returns the guards of a test whose outcome depends on what the program in the
// file does: sanitizers that find nothing in the input. The command of a known compiler runs
// no program, and a test of two commands has sanitizers among its stages.
func (s *Run) sanitizers(ctx context.Context, finder oracle.Executor, in valid.Input) ([]valid.Check, error) {
	program, _, _ := in.Program(ctx, &s.host.machine)
	if s.Valid.Off || s.Valid.Command != "" || s.Test.Differs != nil || program.Tool != nil || s.Input.Set != nil {
		return nil, nil
	}
	ends, goesOn, ok := in.Probes(ctx, &s.host.machine)
	if !ok {
		return nil, nil
	}
	found, err := valid.Find(ctx, finder, valid.Sanitized(ctx, &s.host.machine, in), in)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if outcome, err := s.Bare().Ask(ctx, ends); err != nil || outcome == algo.Interesting {
		return nil, err
	}
	if outcome, err := s.Bare().Ask(ctx, goesOn); err != nil || outcome != algo.Interesting {
		return nil, err
	}
	return found, nil
}

// findPlace finds the place of the crash of a command that is recognised by no more than a
// signal, and the warnings that a project has; nil if there is nothing of that.
func (s *Run) findPlace(ctx context.Context, e oracle.Executor, in valid.Input) (*valid.CrashPlace, error) {
	if !s.Test.Inline || s.Failure.Title == "" || s.Valid.Off || s.Valid.Command != "" {
		return nil, nil
	}
	signal := s.Failure.Kind == failure.Death && s.Failure.Strong
	reads := strings.Split(s.Input.Language.Name, ", ")
	project := s.Input.Set != nil && (slices.Contains(reads, "c") || slices.Contains(reads, "cpp"))
	wanted := valid.PlaceInput{
		Input: in, Crash: signal || s.Failure.Kind == "fatal error", Debug: signal, Warns: project,
		Took: s.Failure.Run.Elapsed,
	}
	if !wanted.Crash && !wanted.Warns {
		return nil, nil
	}
	return valid.FindPlace(ctx, e, &s.host.machine, wanted)
}

// How long it may take to find validity checks: at least leastChecks, and slowChecks times as
// long as the test.
const (
	leastChecks = 20 * time.Second
	slowChecks  = 20
)

// guardInput is the input, for guards.
func (s *Run) guardInput() valid.Input {
	in := valid.Input{
		File: s.Input.Bytes, Spec: s.Chain.Timeout.Limit(s.Spec), Language: grammars.ForFile(s.Input.FileName()).Name,
	}
	// A compiler that prints an error for each line may take minutes, though the test takes
	// milliseconds.
	if s.took > 0 {
		in.Budget = max(leastChecks, slowChecks*s.took)
	}
	for dir := s.Input.absolute()[0]; ; dir = filepath.Dir(dir) {
		in.Dirs = append(in.Dirs, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if s.Test.Inline {
		in.Command = s.Spec.Argv
		if s.Language != nil {
			in.Language = s.Language.Name
		}
	} else if s.Test.Differs != nil {
		in.Command, in.Right = strings.Fields(s.Test.Differs[0]), true
	}
	return in
}

// unguarded notes that no program accepts the input, if some were asked, or were to be.
func (s *Run) unguarded(language string, asked []valid.Check) error {
	switch {
	case len(s.Guards) > 0:
	case s.Valid.Command != "":
		return fmt.Errorf("--valid: %s does not accept %s, as it does not exit with 0", s.Valid.Command, s.Input)
	case len(asked) > 0:
		s.Rejected = valid.Names(asked)
	case s.Valid.On:
		s.Warn(fmt.Sprintf("--valid: there is no program for %s on PATH; going on without", language))
	}
	return nil
}

// Guarded says by which programs the result has to be accepted, and which agree with one side
// of a difference, in sentences.
func (s *Run) Guarded() (all []string) {
	var names []string
	for _, g := range s.Guards {
		names = append(names, g.String())
	}
	if len(names) > 0 {
		all = append(all, fmt.Sprintf("keeping it valid for %s; --no-valid switches that off",
			english.OxfordWordSeries(names, "and")))
	}
	if s.Rejected != "" {
		all = append(all, fmt.Sprintf("the result may be invalid, as %s is: rejected by %s", s.Input, s.Rejected))
	}
	if len(s.Agree) > 0 {
		all = append(all, fmt.Sprintf("one side is right, as %s say, and have to say of the result, too",
			chain.Names(s.Agree)))
	}
	return all
}

// Unguarded tests a candidate as Ask does, but without validity checks.
func (s *Run) Unguarded(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return s.Chain.Unguarded(ctx, s.Spec, candidate)
}
