package chain

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A Stage runs a program on a candidate: a validity check, or part of a test of wrong code.
type Stage struct {
	Name string   // as "clang-16 -fsyntax-only"
	Argv []string // with the absolute path of a program

	// Command, if not nil, replaces Argv and Stdin: it makes a command from the test's.
	Command func(test []string) []string

	Interesting oracle.Criteria // otherwise the outcome is Refused
	Refused     algo.Outcome    // Uninteresting or Unresolved; also for exceeded limits
	Timeout     time.Duration   // 0 means the limit of the test
	Stdin       bool            // the candidate is the standard input

	// Judge, if not nil, also decides about the next stage, from all runs so far.
	Judge func(runs []oracle.Run) bool
}

// Stages runs a test and then, while the candidate is interesting, one stage after another.
type Stages struct {
	test     oracle.Executor // nil if stages replace it
	programs oracle.Executor
	stages   []Stage

	mu      sync.Mutex
	tallies []Tally // the first of the test
}

// NewStages returns an executor for a test, which may be nil, and stages, run by programs.
func NewStages(test, programs oracle.Executor, stages []Stage) *Stages {
	s := &Stages{test: test, programs: programs, stages: stages, tallies: make([]Tally, 1+len(stages))}
	for i := range stages {
		s.tallies[1+i].Name = stages[i].Name
	}
	return s
}

// Run implements [oracle.Executor]. It returns the run of the test, with the outcome of the
// stages and a refusing stage as the reply. Without a test it returns the refused or else the
// longest run, with the longest process of all, for the adaptive timeout.
func (s *Stages) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	var runs []oracle.Run
	var longest oracle.Run
	var busiest time.Duration
	if s.test != nil {
		run, err := s.test.Run(ctx, spec, candidate)
		if err != nil {
			return oracle.Run{}, err
		}
		if s.count(0, run); run.Outcome != algo.Interesting {
			return run, nil
		}
		longest, runs = run, append(runs, run)
	}
	for i := range s.stages {
		run, err := s.programs.Run(ctx, s.stages[i].spec(spec), candidate)
		if err != nil {
			return oracle.Run{}, err
		}
		runs, busiest = append(runs, run), max(busiest, run.Longest)
		run.Outcome = s.stages[i].judge(runs)
		if s.count(1+i, run); run.Outcome != algo.Interesting {
			if s.test != nil {
				longest.Outcome, longest.Reasons = run.Outcome, run.Reasons
				run = longest
			}
			run.Reply = "refused by: " + s.stages[i].Name
			return run, nil
		}
		if s.test == nil && run.Elapsed >= longest.Elapsed {
			longest = run
		}
	}
	longest.Outcome, longest.Longest = algo.Interesting, max(busiest, longest.Longest)
	return longest, nil
}

// onlyCheck reports whether the stages neither replace the test nor depend on its failure.
func (s *Stages) onlyCheck() bool {
	depends := func(stage Stage) bool { return stage.Command != nil || stage.Judge != nil }
	return s.test != nil && !slices.ContainsFunc(s.stages, depends)
}

func (s *Stage) spec(of oracle.Spec) oracle.Spec {
	if of.Interesting = s.Interesting; s.Command != nil {
		of.Argv = s.Command(of.Argv)
	} else {
		of.Argv, of.Stdin = s.Argv, s.Stdin
	}
	if s.Timeout != 0 {
		of.LimitTime(s.Timeout)
	}
	of.KeepOutput, of.RawOutput = of.KeepOutput || s.Judge != nil, s.Judge != nil
	return of
}

func (s *Stage) judge(runs []oracle.Run) algo.Outcome {
	if runs[len(runs)-1].Outcome == algo.Interesting && (s.Judge == nil || s.Judge(runs)) {
		return algo.Interesting
	}
	return s.Refused
}

func (s *Stages) count(i int, run oracle.Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.tallies[i]
	t.Tests++
	if run.Outcome != algo.Interesting {
		t.Refused++
	}
	t.Elapsed += run.Elapsed
}

// A Tally has the statistics of a stage.
type Tally struct {
	Name           string // "" is the test itself
	Tests, Refused int
	Elapsed        time.Duration
}

// Tallies returns the statistics of the test, if any, and all stages.
func (s *Stages) Tallies() []Tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.test == nil {
		return slices.Clone(s.tallies[1:])
	}
	return slices.Clone(s.tallies)
}

// Names returns the names of stages, separated by commas.
func Names(stages []Stage) string {
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
