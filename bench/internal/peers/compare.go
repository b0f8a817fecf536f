package peers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"whittle/algo"
	"whittle/bench/internal/lines"
	"whittle/bench/internal/tokens"
	"whittle/internal/local"
	"whittle/oracle"
)

// A Comparison runs peers on cases and records each run. Recorded runs are not repeated, unless a
// lower time limit stopped them.
type Comparison struct {
	Tools
	Peers []Peer
	Jobs  int
	Limit time.Duration
	Again []string // names of peers to run again
	Files string   // directory for the results, or ""
	Log   io.Writer

	records map[key]Record
	order   []key
	file    *lines.File
	work    *local.Work
	missing map[string]string // by peer: why it could not run
}

// Open reads the records of a file. Compare appends to it.
func (s *Comparison) Open(path string) (err error) {
	s.records, s.missing = map[key]Record{}, map[string]string{}
	if err := s.absolute(); err != nil {
		return err
	}
	if s.file, err = lines.Open(path, s.take); err != nil {
		return err
	}
	s.work, err = local.OpenWork("", local.DefaultLimits().Disk)
	return err
}

func (s *Comparison) Close() error { return errors.Join(s.work.Close(), s.file.Close()) }

// slowest is the time limit for the test of a result.
const slowest = 5 * time.Minute

// interesting runs the test, uncounted.
func (s *Comparison) interesting(ctx context.Context, c Case, file []byte) (bool, error) {
	test := oracle.Test{Executor: &local.Executor{Work: s.work.Dir}, Spec: oracle.Spec{
		Argv: []string{c.Test}, Layout: oracle.Layout{Name: filepath.Base(c.Input)},
		Limits: local.DefaultLimits(), Timeout: slowest,
	}}
	outcome, err := test.Ask(ctx, file)
	return outcome == algo.Interesting, err
}

// take stores a record. It replaces the records of other versions of the case.
func (s *Comparison) take(r Record) {
	for _, k := range s.order {
		if k.Case == r.Case && k.CaseID != r.CaseID {
			delete(s.records, k)
		}
	}
	s.order = slices.DeleteFunc(s.order, func(k key) bool { _, there := s.records[k]; return !there })
	if _, known := s.records[r.key]; !known {
		s.order = append(s.order, r.key)
	}
	s.records[r.key] = r
}

// has reports whether a run can be skipped.
func (s *Comparison) has(k key, peer string) bool {
	r, known := s.records[k]
	return known && !slices.Contains(s.Again, peer) && (!r.TimedOut || r.Limit >= s.Limit.Seconds())
}

// Compare runs all peers on a case, one after the other.
func (s *Comparison) Compare(ctx context.Context, c Case) error {
	checked := false
	for _, p := range s.Peers {
		call, err := s.command(ctx, p, c)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.missing[p.Name] = err.Error()
			continue
		}
		k := key{c.Name, c.ID, p.Name, s.Jobs}
		if s.has(k, p.Name) {
			continue
		}
		if !checked {
			if err := s.check(ctx, c); err != nil {
				return err
			}
			checked = true
		}
		r, err := s.run(ctx, p, c, call, k)
		if err == nil {
			err = s.file.Add(r)
		}
		if err != nil {
			return fmt.Errorf("%s with %s: %w", c.Name, p.Name, err)
		}
		s.take(r)
		s.report(r)
	}
	return nil
}

func (s *Comparison) check(ctx context.Context, c Case) error {
	input, err := os.ReadFile(c.Input)
	if err != nil {
		return err
	}
	ok, err := s.interesting(ctx, c, input)
	if err == nil && !ok {
		err = fmt.Errorf("%s: the input is not interesting; are the programs that %s uses installed?", c.Name, c.Test)
	}
	return err
}

func (s *Comparison) run(ctx context.Context, p Peer, c Case, call []string, k key) (rec Record, err error) {
	r, err := newRun(p, c, s.Jobs, s.Limit)
	defer func() {
		if left := r.remove(); err == nil {
			err = left
		}
	}()
	if err != nil {
		return rec, err
	}
	end, err := r.do(ctx, call)
	if err != nil {
		return rec, err
	}
	input, err := os.ReadFile(c.Input)
	if err != nil {
		return rec, err
	}
	file, err := r.result()
	if err != nil {
		return rec, err
	}
	rec = Record{
		key: k, Version: s.version(ctx, call), Machine: machine(), Date: time.Now().UTC().Truncate(time.Second),
		Language: c.Language, TokensBefore: tokens.Count(input), Tokens: tokens.Count(file), BytesBefore: len(input),
		Bytes: len(file), Tests: r.tests(), Seconds: end.seconds, Limit: s.Limit.Seconds(), TimedOut: end.timedOut,
		Failed: end.failed,
	}
	if rec.Interesting, err = s.interesting(ctx, c, file); err != nil {
		return rec, err
	}
	if c.isC() {
		path := r.path("tmp", "result"+filepath.Ext(c.Input))
		if err := os.WriteFile(path, file, 0o644); err != nil {
			return rec, err
		}
		rec.Compiles = compile(ctx, c.Language, path)
	}
	if s.Files != "" {
		if err := os.MkdirAll(s.Files, 0o755); err != nil {
			return rec, err
		}
		err = os.WriteFile(filepath.Join(s.Files, rec.resultName(c.Input)), file, 0o644)
	}
	return rec, err
}

func (s *Comparison) report(r Record) {
	end := ""
	switch {
	case r.Failed != "":
		end = ", FAILED: " + r.Failed
	case !r.Interesting:
		end = ", NOT INTERESTING"
	case r.TimedOut:
		end = ", stopped"
	}
	fmt.Fprintf(s.Log, "%s %s: %d to %d tokens, %d bytes, %d tests, %.1f s%s\n",
		r.Case, r.Peer, r.TokensBefore, r.Tokens, r.Bytes, r.Tests, r.Seconds, end)
}

func (s *Comparison) ran(peer string) bool {
	return slices.ContainsFunc(s.order, func(k key) bool { return k.Peer == peer })
}

// Missing lists the peers that ran on no case, with the reason and how to install them.
func (s *Comparison) Missing() (missing []string) {
	for _, p := range s.Peers {
		if why, ok := s.missing[p.Name]; ok && !s.ran(p.Name) {
			missing = append(missing, fmt.Sprintf("%s is missing: %s; %s", p.Name, why, p.Install))
		}
	}
	return missing
}
