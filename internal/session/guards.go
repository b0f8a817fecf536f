package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/grammars"
	"whittle/guard"
	"whittle/oracle"
	"whittle/oracle/local"
	"whittle/oracle/stages"
)

// Valid says which guards there are. The zero value is what suits the test: of a script,
// which says itself what is interesting, there are none, nor of a command that is to end
// with exit code 0.
type Valid struct {
	Off     bool
	On      bool   // whatever the test is
	Command string // a shell command of the user's, and no other
}

// Guard finds what guards the result, and puts it around the test. Whoever wants that
// calls it once the criterion is known, and before the journal is opened, which is of a
// run with these guards. The error may be a [*differs.SameError].
func (s *Session) Guard(ctx context.Context) error {
	programs := s.loser(&oracle.Limited{
		Executor: &local.Executor{Work: s.program.Work, Reaper: s.program.Reaper}, Rooms: oracle.NewRooms(s.near()),
	})
	finder := s.retry(programs)
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
	if s.Guards, err = guard.Find(ctx, finder, s.mayGuard(ctx, in), in); err != nil {
		return err
	}
	if err := s.unguarded(in.Language); err != nil {
		return err
	}
	test := s.executor // nil if the stages are the whole test
	s.stages = guard.Stages(s.Guards)
	if s.Test.Differs != nil {
		// What may be undefined is no wrong code: that is an answer, none that is open.
		for i := range s.stages {
			s.stages[i].Refused = algo.Uninteresting
		}
		test, s.Agree = nil, s.differs.Guards()
		s.stages = slices.Concat(s.differs.Sides(), s.stages, s.Agree)
	}
	if len(s.stages) > 0 {
		s.guarded = stages.NewRow(test, programs, s.stages)
		s.row(s.guarded)
	}
	return nil
}

// mayGuard returns what may guard the result.
func (s *Session) mayGuard(ctx context.Context, in guard.Input) []guard.Guard {
	command := s.Test.Inline && !s.Spec.Interesting.IsZero() || s.Test.Differs != nil
	switch {
	case s.Valid.Command != "":
		return []guard.Guard{guard.Command(s.Valid.Command)}
	case !s.Valid.On && (s.Valid.Off || !command):
		return nil
	}
	return guard.Asked(ctx, &s.host.machine, in)
}

// guardInput is the input, for guards.
func (s *Session) guardInput() guard.Input {
	in := guard.Input{
		File: s.Input.Bytes, Spec: s.adaptive.Limit(s.Spec), Language: grammars.ForFile(s.Input.FileName()).Name,
	}
	if s.Language != nil {
		in.Language = s.Language.Name
	}
	if s.Test.Inline {
		in.Command = s.Spec.Argv
	} else if s.Test.Differs != nil {
		in.Command, in.Right = strings.Fields(s.Test.Differs[0]), true
	}
	return in
}

// unguarded says that nothing accepts the input, if that is so and the user has asked for it.
func (s *Session) unguarded(language string) error {
	switch {
	case len(s.Guards) > 0:
	case s.Valid.Command != "":
		return fmt.Errorf("--valid: %s does not accept %s, as it does not exit with 0", s.Valid.Command, s.Input)
	case s.Valid.On:
		s.Warn(fmt.Sprintf("--valid: no program for %s on PATH accepts %s; going on without", language, s.Input))
	}
	return nil
}

// Unguarded does what Ask does, without the guards around the test.
func (s *Session) Unguarded(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	if s.guarded == nil || s.guarded.First == nil {
		return s.Ask(ctx, candidate)
	}
	bare := s.Bare()
	bare.Executor = &oracle.Confirmer{Executor: bare.Executor, Repeat: s.Confirmations()}
	return bare.Ask(ctx, candidate)
}

// Stages returns what the test and each guard have come to so far; nil if there are no
// guards.
func (s *Session) Stages() []stages.Tally {
	if s.guarded == nil {
		return nil
	}
	return s.guarded.Tallies()
}
