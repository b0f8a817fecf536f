package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whittle/bench/internal/lines"
	"whittle/oracle"
)

// A store is a folder of results: runs.jsonl, the journals of the cases, and the reduced files.
// It may be used concurrently.
type store struct {
	dir string

	mu      sync.Mutex
	file    *lines.File
	records map[spec]record // by key; later lines replace earlier ones
	order   []spec

	again []string      // to run again
	fresh map[spec]bool // added by this process
}

// openStore opens or makes a folder of results. An incomplete last line is dropped.
func openStore(dir string) (*store, error) {
	s := &store{dir: dir, records: map[spec]record{}, fresh: map[spec]bool{}}
	for _, folder := range []string{s.path("journals"), s.path("files")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, environmentError("make the folder of results", err)
		}
	}
	var err error
	if s.file, err = lines.Open(s.path("runs.jsonl"), s.take); err != nil {
		return nil, environmentError("open the results", err)
	}
	return s, nil
}

func environmentError(what string, err error) error {
	return &oracle.EnvironmentError{Err: fmt.Errorf("cannot %s: %w", what, err)}
}

func (s *store) path(parts ...string) string {
	return filepath.Join(append([]string{s.dir}, parts...)...)
}

func (s *store) take(r record) {
	k := r.key()
	if _, known := s.records[k]; !known {
		s.order = append(s.order, k)
	}
	s.records[k] = r
}

// has reports whether a run is not needed: it is present, and if it timed out, it had at least as
// much time.
func (s *store) has(want spec) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, known := s.records[want.key()]
	name, _, _ := strings.Cut(want.Algorithm, "+")
	if slices.Contains(s.again, name) && !s.fresh[want.key()] {
		return false
	}
	return known && (!r.TimedOut || r.Timeout >= want.Timeout)
}

func (s *store) get(want spec) (record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, known := s.records[want.key()]
	return r, known
}

func (s *store) add(r record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.file.Add(r); err != nil {
		return environmentError("write the results", err)
	}
	s.take(r)
	s.fresh[r.key()] = true
	return nil
}

// all orders runs by first execution, without changed cases.
func (s *store) all() []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := map[string]string{}
	for _, k := range s.order {
		newest[k.Case] = k.CaseID
	}
	var all []record
	for _, k := range s.order {
		if newest[k.Case] == k.CaseID {
			all = append(all, s.records[k])
		}
	}
	return all
}

func (s *store) close() error { return s.file.Close() }
