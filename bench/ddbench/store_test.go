package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that timed out is repeated only with more time.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	stopped := spec{Case: "a", Driver: "hdd", Algorithm: "ddmin", Timeout: 60}
	done := spec{Case: "b", Driver: "hdd", Algorithm: "ddmin", Timeout: 60}
	for _, r := range []record{{spec: stopped, TimedOut: true}, {spec: done, Tests: 1}, {spec: done, Tests: 2}} {
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "runs.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	torn := string(whole) + `{"case":"c","dri`
	if err := os.WriteFile(path, []byte(torn), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err = openStore(dir); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if now, _ := os.ReadFile(path); string(now) != string(whole) {
		t.Errorf("repaired, it is %q", now)
	}
	if all := s.all(); len(all) != 2 || all[1].Tests != 2 {
		t.Errorf("%+v", all)
	}
	longer := stopped
	longer.Timeout = 120
	for _, c := range []struct {
		spec spec
		want bool
	}{{stopped, true}, {longer, false}, {done, true}, {spec{Case: "c"}, false}} {
		if got := s.has(c.spec); got != c.want {
			t.Errorf("has %+v: %v", c.spec, got)
		}
	}

	if err := os.WriteFile(path, append([]byte("?\n"), whole...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(dir); err == nil || !strings.Contains(err.Error(), "line 1 is not a valid record") {
		t.Errorf("a file of something else: %v", err)
	}
}
