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
)

type bench struct {
	store *store
	cases []benchCase
	jobs  int
	log   io.Writer
	mu    sync.Mutex // for messages
}

func openBench(results string, jobs int, log io.Writer, folders []string) (*bench, error) {
	if jobs < 1 {
		return nil, usagef("--jobs %d: at least one case must run", jobs)
	}
	cases, err := openCases(folders)
	if err != nil {
		return nil, err
	}
	b := &bench{cases: cases, jobs: jobs, log: log}
	b.store, err = openStore(results)
	return b, err
}

// run reports a failure and continues with the other cases.
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
		b.report(r)
	}
	return nil
}

// runOne executes a run in its own process.
func (b *bench) runOne(ctx context.Context, c benchCase, s spec) (r record, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, environmentError("find the program", err)
	}
	output := fmt.Sprintf("%s.%s.%s.p%g.w%d.s%d%s",
		c.Name, s.Driver, s.Algorithm, s.P0, s.Width, s.Seed, filepath.Ext(c.Input))
	line, err := json.Marshal(job{
		s, filepath.Dir(c.Input), b.store.path("journals", c.Name), b.store.path("files", output)})
	if err != nil {
		return r, err
	}
	child := exec.CommandContext(ctx, self, "child")
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	var out, log bytes.Buffer
	child.Stdout, child.Stderr = &out, &log
	in, err := child.StdinPipe() // closing it ends the child
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
		said := strings.TrimSpace(strings.TrimPrefix(log.String(), "ddbench: "))
		return r, fmt.Errorf("%s with %s: %w: %s", s.Driver, s.Algorithm, err, said)
	}
	return r, json.Unmarshal(out.Bytes(), &r)
}

func (b *bench) report(r record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	end := ""
	switch {
	case r.TimedOut:
		end = ", timed out"
	case !r.Interesting:
		end = ", NOT INTERESTING"
	}
	fmt.Fprintf(b.log, "%s %s %s", r.Case, r.Driver, r.Algorithm)
	if r.P0 != 0 {
		fmt.Fprintf(b.log, " p0 %g", r.P0)
	}
	if r.Repetition > 0 {
		fmt.Fprintf(b.log, " seed %d", r.Seed)
	}
	fmt.Fprintf(b.log, ": %d to %d tokens, %d tests, %.1f s%s\n", r.TokensBefore, r.TokensAfter, r.Tests, r.Seconds, end)
}
