// Package stages runs a test as a row of runs: what the test itself asks, and behind it
// what is asked only of candidates that have come so far. The runs of wrong code are such
// a row, and so are the guards of a reduction around its test.
package stages

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A Stage is one run of a row.
type Stage struct {
	Name string   // what it is called, as "clang-16 -fsyntax-only"
	Argv []string // absolute path of a program, and its arguments
	// Command, if not nil, returns the words that take the place of Argv, from those of the
	// test. The stage then has the test's standard input, too.
	Command func(test []string) []string

	Interesting oracle.Criteria // what the run must meet, else the candidate has Refused
	Refused     algo.Outcome    // Uninteresting, or Unresolved; also of one that exceeds a limit
	Timeout     time.Duration   // 0 is that of the test
	Stdin       bool            // the candidate is the standard input

	// Judge, if not nil, is asked about a run that met its criteria, with all runs of the
	// row up to it. It reports whether the candidate goes on to the next stage.
	Judge func(runs []oracle.Run) bool
}

// A Row is an executor that asks First, if that is not nil, and then, as long as the
// candidate is interesting, one stage after the other. It may be used from several
// goroutines; its fields must not change meanwhile, nor may there be more stages.
type Row struct {
	First    oracle.Executor // runs the test as the spec says
	Executor oracle.Executor // runs the stages
	Stages   []Stage

	first  count
	counts []count
}

// count is what a stage has come to.
type count struct {
	tests, refused atomic.Int64
	elapsed        atomic.Int64 // time.Duration
}

// NewRow returns a Row.
func NewRow(first, executor oracle.Executor, stages []Stage) *Row {
	return &Row{First: first, Executor: executor, Stages: stages, counts: make([]count, len(stages))}
}

// Run is that of an [oracle.Executor]. The run is that of First, if there is one, with the
// outcome that the stages make of it, and with the name of one that refuses as its reply.
// Else it is that of the stage that refuses, or of the longest, so that a limit of time that
// adapts does so to one run.
func (r *Row) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	var runs []oracle.Run
	var longest oracle.Run
	if r.First != nil {
		run, err := r.First.Run(ctx, spec, candidate)
		if err != nil {
			return oracle.Run{}, err
		}
		if r.first.add(run); run.Outcome != algo.Interesting {
			return run, nil
		}
		longest, runs = run, append(runs, run)
	}
	for i := range r.Stages {
		run, err := r.Executor.Run(ctx, r.Stages[i].spec(spec), candidate)
		if err != nil {
			return oracle.Run{}, err
		}
		runs = append(runs, run)
		run.Outcome = r.Stages[i].judge(runs)
		if r.counts[i].add(run); run.Outcome != algo.Interesting {
			if r.First != nil {
				longest.Outcome = run.Outcome
				run = longest
			}
			run.Reply = "refused by: " + r.Stages[i].Name
			return run, nil
		}
		if r.First == nil && run.Elapsed >= longest.Elapsed {
			longest = run
		}
	}
	longest.Outcome = algo.Interesting
	return longest, nil
}

// spec returns how the stage is run for a test.
func (s *Stage) spec(of oracle.Spec) oracle.Spec {
	if of.Interesting = s.Interesting; s.Command != nil {
		of.Argv = s.Command(of.Argv)
	} else {
		of.Argv, of.Stdin = s.Argv, s.Stdin
	}
	if s.Timeout != 0 {
		of.Timeout, of.Processor = s.Timeout, 0
	}
	of.KeepOutput, of.RawOutput = of.KeepOutput || s.Judge != nil, s.Judge != nil
	return of
}

// judge returns what the candidate is after the last of some runs.
func (s *Stage) judge(runs []oracle.Run) algo.Outcome {
	if runs[len(runs)-1].Outcome == algo.Interesting && (s.Judge == nil || s.Judge(runs)) {
		return algo.Interesting
	}
	return s.Refused
}

func (c *count) add(run oracle.Run) {
	c.tests.Add(1)
	if run.Outcome != algo.Interesting {
		c.refused.Add(1)
	}
	c.elapsed.Add(int64(run.Elapsed))
}

// A Tally is what a stage has come to so far.
type Tally struct {
	Name           string // "" is the test itself
	Tests, Refused int
	Elapsed        time.Duration
}

// Tallies returns those of all stages, in their order.
func (r *Row) Tallies() []Tally {
	var all []Tally
	if inner, is := r.First.(*Row); is {
		all = inner.Tallies()
	} else if r.First != nil {
		all = append(all, r.first.tally(""))
	}
	for i := range r.Stages {
		all = append(all, r.counts[i].tally(r.Stages[i].Name))
	}
	return all
}

func (c *count) tally(name string) Tally {
	return Tally{name, int(c.tests.Load()), int(c.refused.Load()), time.Duration(c.elapsed.Load())}
}

// Names returns the names of stages, as a list.
func Names(stages []Stage) string {
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
