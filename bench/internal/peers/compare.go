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

// A Comparison runs peers on cases and keeps a record of each run. What is recorded is not
// run again, but for what was stopped by a lower limit.
type Comparison struct {
	Tools
	Peers []Peer
	Jobs  int
	Limit time.Duration
	Again []string // names of peers of which earlier runs do not count
	Files string   // keep the results in this folder, if it is not ""
	Talk  io.Writer

	records map[key]Record
	order   []key
	file    *lines.File
	work    *local.Work
	missing map[string]string // why a peer was not run on a case it could not be run on
}

// Open reads the records of a file, which Compare adds to.
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

// Close closes the file.
func (s *Comparison) Close() error { return errors.Join(s.work.Close(), s.file.Close()) }

// slowest is how long the test of a result may take.
const slowest = 5 * time.Minute

// interesting reports whether a file is interesting, by a run of the case's test that is
// not counted.
func (s *Comparison) interesting(ctx context.Context, c Case, file []byte) (bool, error) {
	test := oracle.Test{Executor: &local.Executor{Work: s.work.Dir}, Spec: oracle.Spec{
		Argv: []string{c.Test}, Layout: oracle.Layout{Name: filepath.Base(c.Input)},
		Limits: local.DefaultLimits(), Timeout: slowest,
	}}
	outcome, err := test.Ask(ctx, file)
	return outcome == algo.Interesting, err
}

// take keeps a record. It takes the place of those of the case as it was before.
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

// has reports whether a run need not be done.
func (s *Comparison) has(k key, peer string) bool {
	r, known := s.records[k]
	return known && !slices.Contains(s.Again, peer) && (!r.TimedOut || r.Limit >= s.Limit.Seconds())
}

// Compare does the runs of a case, one after the other.
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
		s.tell(r)
	}
	return nil
}

// check returns an error if the case's test does not hold here.
func (s *Comparison) check(ctx context.Context, c Case) error {
	input, err := os.ReadFile(c.Input)
	if err != nil {
		return err
	}
	ok, err := s.interesting(ctx, c, input)
	if err == nil && !ok {
		err = fmt.Errorf("%s: the input is not interesting; is the program that %s needs installed?", c.Name, c.Test)
	}
	return err
}

// run does a run.
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

// tell says what a run came to.
func (s *Comparison) tell(r Record) {
	end := ""
	switch {
	case r.Failed != "":
		end = ", FAILED: " + r.Failed
	case !r.Interesting:
		end = ", NOT INTERESTING any more"
	case r.TimedOut:
		end = ", stopped"
	}
	fmt.Fprintf(s.Talk, "%s %s: %d to %d tokens, %d bytes, %d tests, %.1f s%s\n",
		r.Case, r.Peer, r.TokensBefore, r.Tokens, r.Bytes, r.Tests, r.Seconds, end)
}

// ran reports whether there is a record of a peer.
func (s *Comparison) ran(peer string) bool {
	return slices.ContainsFunc(s.order, func(k key) bool { return k.Peer == peer })
}

// Missing returns, for each peer that was run on no case, why, and how to install it.
func (s *Comparison) Missing() (missing []string) {
	for _, p := range s.Peers {
		if why, ok := s.missing[p.Name]; ok && !s.ran(p.Name) {
			missing = append(missing, fmt.Sprintf("%s is missing: %s; %s", p.Name, why, p.Install))
		}
	}
	return missing
}
