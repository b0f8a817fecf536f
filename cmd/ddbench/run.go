package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"whittle"
)

func runCommand() *cobra.Command {
	var m matrix
	var results string
	var jobs int
	var again []string
	c := &cobra.Command{
		Use:   "run --results DIR [flags] CASE...",
		Short: "Reduce cases with drivers and algorithms, and keep what came out",
		Long: `Reduce cases with drivers and algorithms, and keep what came out.

Each run is a line of DIR/runs.jsonl. What is there is not run again, so the same
command goes on where it was stopped. The runs of a case share a journal in
DIR/journals: no test is run twice. The time of a run is the processor time of its
own work and the recorded times of the tests it used.

An algorithm may have ` + andEach + ` behind its name: single items are tried
once more after it; or ` + shuffled + `: each list is in an order that the seed
gives. With --p0 0 whittle lowers the initial probability for long lists; any other
is used for all lists, as published.`,
		Example: "  ddbench run --results out --drivers perses,hdd --algorithms ddmin,probdd --p0 0.1 cases/*",
		RunE: func(c *cobra.Command, folders []string) error {
			if len(folders) == 0 {
				return usagef("no cases; each is a folder with an input and a test.sh")
			}
			if results == "" {
				return usagef("--results DIR is needed: where the runs are kept")
			}
			if err := m.check(); err != nil {
				return err
			}
			b, err := openBench(results, jobs, c.ErrOrStderr(), folders)
			if err != nil {
				return err
			}
			defer b.store.close()
			b.store.again = again
			return b.run(c.Context(), b.cases, func(benchCase) matrix { return m })
		},
	}
	m.add(c)
	c.Flags().StringVar(&results, "results", "", "keep the runs in this folder `DIR`")
	c.Flags().IntVarP(&jobs, "jobs", "j", 1, "`cases` to work on at once, each with one test at a time")
	addAgain(c, &again)
	return c
}

func addAgain(c *cobra.Command, again *[]string) {
	c.Flags().StringSliceVar(again, "again", nil, "do the runs of these `algorithms` again, as they have changed; tests that are known are not")
}

// defaultP0 is the published constant.
const defaultP0 = whittle.DefaultP0

// add adds the flags of a matrix.
func (m *matrix) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&m.drivers, "drivers", []string{whittle.DefaultDriver}, "`drivers`, separated by commas: "+strings.Join(whittle.Drivers(), ", "))
	flags.StringSliceVar(&m.algorithms, "algorithms", []string{whittle.DefaultAlgorithm}, "`algorithms`, separated by commas")
	flags.Float64SliceVar(&m.p0, "p0", []float64{0}, "initial `probabilities`, separated by commas; 0 is the default, lower for long lists")
	flags.IntVar(&m.width, "width", 1, "as that of whittle reduce; 0 is its default, 1 the algorithms as published")
	flags.IntVar(&m.repetitions, "repetitions", 1, "runs of each, with seeds one after the other")
	flags.Uint64Var(&m.seed, "seed", 1, "of the first repetition")
	flags.DurationVar(&m.timeout, "timeout", 20*time.Minute, "stop a run after so much of its `time`, and mark it")
}

// A bench runs matrices over cases.
type bench struct {
	store *store
	cases []benchCase
	jobs  int
	talk  io.Writer
	mu    sync.Mutex // of talk
}

func openBench(results string, jobs int, talk io.Writer, folders []string) (*bench, error) {
	if jobs < 1 {
		return nil, usagef("--jobs %d: at least one case must run", jobs)
	}
	b := &bench{jobs: jobs, talk: talk}
	for _, folder := range folders {
		cases, err := openCases(folder)
		if err != nil {
			return nil, err
		}
		b.cases = append(b.cases, cases...)
	}
	var err error
	b.store, err = openStore(results)
	return b, err
}

// run does the runs of the cases that are not there. What fails is told of and
// does not keep the other cases from being run.
func (b *bench) run(ctx context.Context, cases []benchCase, of func(benchCase) matrix) error {
	waiting := make(chan benchCase)
	var workers sync.WaitGroup
	var mu sync.Mutex
	var failed []error
	for range b.jobs {
		workers.Go(func() {
			for c := range waiting {
				if err := b.runCase(ctx, c, of(c).of(c)); err != nil {
					mu.Lock()
					failed = append(failed, fmt.Errorf("%s: %w", c.Name, err))
					mu.Unlock()
				}
			}
		})
	}
	for _, c := range cases {
		waiting <- c
	}
	close(waiting)
	workers.Wait()
	return errors.Join(failed...)
}

// runCase does the runs of a case that are not there.
func (b *bench) runCase(ctx context.Context, c benchCase, runs []spec) error {
	for _, s := range runs {
		if b.store.has(s) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := b.runOne(ctx, c, s)
		if err != nil {
			return err
		}
		if err := b.store.add(r); err != nil {
			return err
		}
		b.tell(r)
	}
	return nil
}

// runOne does a run in a process of its own.
func (b *bench) runOne(ctx context.Context, c benchCase, s spec) (r record, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, environmentError("find the program", err)
	}
	name := fmt.Sprintf("%s.%s.%s.p%g.w%d.s%d%s", c.Name, s.Driver, s.Algorithm, s.P0, s.Width, s.Seed, filepath.Ext(c.Input))
	line, err := json.Marshal(job{s, filepath.Dir(c.Input), b.store.path("journals", c.Name), b.store.path("files", name)})
	if err != nil {
		return r, err
	}
	child := exec.CommandContext(ctx, self, "child")
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	var out, talk bytes.Buffer
	child.Stdout, child.Stderr = &out, &talk
	in, err := child.StdinPipe() // stays open: with its end the child ends
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		return r, environmentError("start a run", err)
	}
	in.Write(append(line, '\n'))
	err = child.Wait()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		said := strings.TrimSpace(strings.TrimPrefix(talk.String(), "ddbench: "))
		return r, fmt.Errorf("%s with %s: %w: %s", s.Driver, s.Algorithm, err, said)
	}
	return r, json.Unmarshal(out.Bytes(), &r)
}

// tell says what a run came to.
func (b *bench) tell(r record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	end := ""
	switch {
	case r.TimedOut:
		end = ", timed out"
	case !r.Interesting:
		end = ", NOT INTERESTING any more"
	}
	fmt.Fprintf(b.talk, "%s %s %s", r.Case, r.Driver, r.Algorithm)
	if r.P0 != 0 {
		fmt.Fprintf(b.talk, " p0 %g", r.P0)
	}
	if r.Repetition > 0 {
		fmt.Fprintf(b.talk, " seed %d", r.Seed)
	}
	fmt.Fprintf(b.talk, ": %d to %d tokens, %d tests, %.1f s%s\n", r.TokensBefore, r.TokensAfter, r.Tests, r.Seconds, end)
}
