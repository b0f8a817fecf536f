// Package outcomes provides the outcomes of the tests of a case, from a journal or by running
// them. The runs of a case share a journal.
package outcomes

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/journal"
	"whittle/internal/local"
	"whittle/internal/process"
	"whittle/oracle"
)

// slack is the time limit of a candidate, relative to the time of the input. The whittle command
// uses the same.
const slack = 10

// An Oracle answers tests. It may be used concurrently.
type Oracle struct {
	Journal *journal.Journal

	test    oracle.Test
	closers []func() error
}

// Open opens or creates the journal at path, and prepares to run a test on candidates with the
// name of the file input. program is the absolute path of the test and text its content.
func Open(path, program string, text []byte, input string, content []byte) (o *Oracle, err error) {
	o = &Oracle{}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	var id journal.Identity
	id.Add("input", []byte(filepath.Base(input)), content)
	id.Add("test", text)
	if o.Journal, err = journal.Open(path, id, false); err != nil {
		return o, err
	}
	o.later(func() error { return o.Journal.Close(true) })
	if err := o.Journal.Begin(); err != nil {
		return o, err
	}
	limits := local.DefaultLimits()
	work, err := local.OpenWork("", limits.Disk)
	if err != nil {
		return o, err
	}
	o.later(work.Close)
	reaper := process.Adopt()
	o.later(func() error { reaper.Close(); return nil })
	restore := local.LimitFiles(limits.Disk)
	o.later(func() error { restore(); return nil })
	tests := chain.Build(chain.Config{Executor: &local.Executor{Work: work.Dir, Reaper: reaper}, Slack: slack})
	tests.Timeout.Resume(o.Journal.Slowest)
	o.test = oracle.Test{
		Spec:     oracle.Spec{Argv: []string{program}, Layout: oracle.Layout{Name: filepath.Base(input)}, Limits: limits},
		Executor: tests.Once,
	}
	return o, nil
}

func (o *Oracle) later(closer func() error) { o.closers = append(o.closers, closer) }

// Close saves the journal and releases the resources of the tests.
func (o *Oracle) Close() (err error) {
	for i := len(o.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, o.closers[i]())
	}
	o.closers = nil
	return err
}

// Run runs the test. It is an [oracle.Property].
func (o *Oracle) Run(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return o.test.Ask(ctx, candidate)
}

// Ask returns the outcome of a test and the time that it took. The test runs only if the journal
// does not have its outcome.
func (o *Oracle) Ask(ctx context.Context, candidate []byte) (algo.Outcome, time.Duration, error) {
	key := oracle.KeyOf(candidate)
	if r, known := o.Journal.Recall(key); known {
		return r.Outcome, r.Elapsed, nil
	}
	began := time.Now()
	outcome, err := o.Run(ctx, candidate)
	elapsed := time.Since(began)
	if err == nil {
		o.Journal.Learn(key, outcome, elapsed)
	}
	return outcome, elapsed.Round(time.Millisecond), err
}
