package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/bench/internal/workers"
	"whittle/grammars"
	"whittle/internal/disk"
)

type simulation struct {
	outcomes            string
	workers             []int
	setting             workers.Setting
	driver              string
	passes, bound, wide bool
}

func workersCommand() *cobra.Command {
	var s simulation
	c := &cobra.Command{
		Use:   "workers --outcomes DIR [flags] CASE...",
		Short: "Simulate reductions with many workers",
		Long: `Simulate reductions with many workers.

Each case is reduced like 'whittle reduce', with one worker and then with each number of
workers. A test takes one step, whittle's own work takes no time. So the number of steps
is a lower bound for a cluster. DIR has a journal of outcomes for each case. Tests
without a recorded outcome run on this machine.`,
		Example: "  ddbench workers --outcomes out --workers 8,64,200 cases/*",
		RunE: func(c *cobra.Command, folders []string) error {
			cases, err := s.check(folders)
			if err != nil {
				return err
			}
			var all []workers.Runs
			for _, bc := range cases {
				runs, err := s.simulate(c.Context(), bc, func(r workers.Run) {
					fmt.Fprintf(c.ErrOrStderr(), "%s, %d workers: %.1f steps, %d tests, %d tokens, in %v\n",
						bc.Name, r.Workers, r.Steps(), r.Tests, r.Tokens, r.Own.Round(10*time.Millisecond))
				})
				if err != nil {
					return fmt.Errorf("%s: %w", bc.Name, err)
				}
				all = append(all, runs)
			}
			out := c.OutOrStdout()
			fmt.Fprint(out, workers.Table(all))
			for _, runs := range all {
				if s.passes {
					fmt.Fprintf(out, "\n%s", workers.PassTable(runs))
				}
			}
			if s.bound {
				fmt.Fprintf(out, "\n%s", workers.BoundTable(all, s.workers))
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.outcomes, "outcomes", "", "keep the outcomes of tests in this folder `DIR`")
	flags.IntSliceVar(&s.workers, "workers", []int{8, 64, 200}, "`numbers` of workers, separated by commas")
	flags.StringVar(&s.setting.Lasts, "lasts", workers.Lasting[0], "duration of tests: one `step`, "+
		"random with that mean, or recorded in seconds")
	flags.Uint64Var(&s.setting.Seed, "seed", 1, "seed of random durations")
	flags.IntVarP(&s.setting.Asks, "jobs", "j", runtime.NumCPU(), "maximum number of concurrent real `tests`")
	flags.StringVar(&s.driver, "driver", whittle.DefaultDriver, strings.Join(whittle.Drivers().Names(), ", "))
	flags.BoolVar(&s.wide, "wide", false, "search for this number of workers, as whittle reduce --wide")
	flags.BoolVar(&s.passes, "passes", false, "also show the steps of each pass")
	flags.BoolVar(&s.bound, "bound", false, "also show lower bounds, and dependencies "+
		"between changes, which takes more tests")
	return c
}

func (s *simulation) check(folders []string) (cases []benchCase, err error) {
	switch {
	case len(folders) == 0:
		return nil, usagef("no cases; each is a folder with an input and a test.sh")
	case s.outcomes == "":
		return nil, usagef("--outcomes DIR is required")
	case s.setting.Asks < 1:
		return nil, usagef("--jobs %d: at least one test must run", s.setting.Asks)
	case !slices.Contains(workers.Lasting, s.setting.Lasts):
		return nil, usagef("--lasts %q: must be one of %s", s.setting.Lasts, strings.Join(workers.Lasting, ", "))
	}
	if _, err := whittle.Drivers().Find(s.driver); err != nil {
		return nil, usageError{err}
	}
	for _, w := range s.workers {
		if w < 1 {
			return nil, usagef("--workers %d: must be at least 1", w)
		}
	}
	if cases, err = openCases(folders); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.outcomes, 0o755); err != nil {
		return nil, environmentError("make the folder of outcomes", err)
	}
	return cases, nil
}

func (s *simulation) simulate(ctx context.Context, c benchCase, done func(workers.Run)) (runs workers.Runs, err error) {
	runs.Case = c.Name
	if c.language.FrontEnd != "antlr" {
		debug.SetGCPercent(gcPercent)
	}
	tests, err := c.outcomes(filepath.Join(s.outcomes, c.Name+".journal"))
	if errors.Is(err, disk.ErrInUse) {
		return runs, fmt.Errorf("%w; wait for it, or give a copy of the folder as --outcomes", err)
	}
	if err != nil {
		return runs, err
	}
	defer func() { err = errors.Join(err, tests.Close()) }()
	options := whittle.Options{
		Input: c.content, Language: c.language.Language, Rewrites: c.language.Rewrites(), Driver: s.driver,
		Adapt: grammars.Adapt(c.language),
	}
	several := slices.DeleteFunc(slices.Clone(s.workers), func(w int) bool { return w == 1 })
	for _, w := range append([]int{1}, several...) {
		if s.wide && w > 1 {
			options.Wide = w
		}
		setting := s.setting
		setting.Workers, setting.Keep = w, s.bound && w == 1
		r, err := workers.Simulate(ctx, options, tests.Ask, setting)
		if err != nil {
			return runs, c.explain(err)
		}
		done(r)
		runs.Runs = append(runs.Runs, r)
		if first := runs.Runs[0]; !s.wide && (!bytes.Equal(r.File, first.File) || r.Tests != first.Tests) {
			return runs, fmt.Errorf("%d workers gave another result than one: %d tests and %d bytes, want %d and %d",
				w, r.Tests, len(r.File), first.Tests, len(first.File))
		}
	}
	if s.bound {
		runs.Stages, err = runs.Runs[0].Stages(ctx, tests.Ask)
		runs.Runs[0].Files = nil
	}
	return runs, err
}
