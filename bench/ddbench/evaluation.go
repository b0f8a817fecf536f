package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

type work struct {
	matrix
	cases []benchCase
}

type evaluation struct {
	*bench
	timeout      time.Duration
	brief        []string // cases with less time
	briefTimeout time.Duration
	lists        int    // number of synthetic lists
	repetitions  int    // of random algorithms
	seed         uint64 // of the first repetition and of the lists
}

type evaluationFlags struct {
	results      string
	jobs         int
	quick        bool
	timeout      time.Duration
	brief        []string
	briefTimeout time.Duration
	again        []string
	lists        int
}

func (f *evaluationFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.results, "results", "", "keep the runs in this folder `DIR`")
	flags.IntVarP(&f.jobs, "jobs", "j", 1, "`cases` to work on at once, each with one test at a time")
	flags.BoolVar(&f.quick, "quick", false, "the smallest cases with fewer lists, fewer repetitions and less time")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "time limit of a run; stopped runs are marked")
	flags.StringSliceVar(&f.brief, "brief", nil, "`names` of cases that get --brief-timeout, separated by commas")
	flags.IntVar(&f.lists, "lists", 5000, "random `lists` of wdd-synthetic; a twentieth with --quick")
	addAgain(c, &f.again)
	flags.DurationVar(&f.briefTimeout, "brief-timeout", 90*time.Second, "time limit for --brief")
}

// quickCases is the maximal number of cases of a quick evaluation.
const quickCases = 4

func (f *evaluationFlags) open(c *cobra.Command, folders []string) (*evaluation, error) {
	switch {
	case f.results == "":
		return nil, usagef("--results DIR is required")
	case len(folders) == 0:
		return nil, usagef("no cases; each is a folder with an input and a test.sh")
	case f.timeout <= 0 || f.briefTimeout <= 0:
		return nil, usagef("--timeout and --brief-timeout: a run needs some time")
	case f.lists < 1:
		return nil, usagef("--lists %d: must be at least 1", f.lists)
	}
	b, err := openBench(f.results, f.jobs, c.ErrOrStderr(), folders)
	if err != nil {
		return nil, err
	}
	b.store.again = f.again
	e := &evaluation{
		bench: b, timeout: f.timeout, brief: f.brief, briefTimeout: f.briefTimeout,
		lists: f.lists, repetitions: 5, seed: 1,
	}
	if f.quick {
		e.timeout, e.briefTimeout = min(e.timeout, time.Minute), min(e.briefTimeout, 20*time.Second)
		e.lists, e.repetitions = max(1, e.lists/20), 2
		slices.SortStableFunc(b.cases, func(x, y benchCase) int { return len(x.content) - len(y.content) })
		b.cases = b.cases[:min(len(b.cases), quickCases)]
	}
	return e, nil
}

// answer executes the missing runs and returns the table, also after failures.
func (e *evaluation) answer(ctx context.Context, q question) (string, error) {
	var runs []record
	var failed error
	if q.few {
		first := e.all([]string{"probdd"}, defaultP0)
		first.drivers = []string{"hdd"}
		failed = e.do(ctx, first)
	}
	for _, w := range q.runs(e) {
		if err := e.do(ctx, w); err != nil {
			failed = err
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		runs = append(runs, e.of(w)...)
	}
	return q.table(e, newGrids(runs)), failed
}

func (e *evaluation) do(ctx context.Context, w work) error {
	w.timeout = e.timeout
	return e.run(ctx, w.cases, func(c benchCase) matrix {
		m := w.matrix
		if slices.Contains(e.brief, c.Name) {
			m.timeout = e.briefTimeout
		}
		return m
	})
}

func (e *evaluation) of(w work) (runs []record) {
	for _, c := range w.cases {
		for _, s := range w.matrix.of(c) {
			if r, ok := e.store.get(s); ok {
				runs = append(runs, r)
			}
		}
	}
	return runs
}

// few returns the cases on which ProbDD in hdd ends first, for questions with many runs.
func (e *evaluation) few() []benchCase {
	const few = 7
	seconds := func(c benchCase) float64 {
		r, ok := e.store.get(spec{
			Case: c.Name, CaseID: c.Identity, Driver: "hdd", Algorithm: "probdd", P0: defaultP0, Width: 1, Seed: e.seed})
		if !ok || r.TimedOut {
			return math.Inf(1)
		}
		return r.Seconds
	}
	cases := slices.Clone(e.cases)
	slices.SortStableFunc(cases, func(a, b benchCase) int { return cmp.Compare(seconds(a), seconds(b)) })
	return cases[:min(len(cases), few)]
}

func (e *evaluation) all(algorithms []string, p0 ...float64) work {
	m := matrix{
		drivers: []string{"perses", "hdd"}, algorithms: algorithms, p0: p0, width: 1, repetitions: 1, seed: e.seed,
	}
	return work{m, e.cases}
}

func none(*evaluation) []work { return nil }

func both(algorithms ...string) func(*evaluation) []work {
	return func(e *evaluation) []work { return []work{e.all(algorithms, defaultP0)} }
}
