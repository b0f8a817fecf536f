package run

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"whittle/internal/remote"
	"whittle/oracle"
)

// elsewhere is a test with a directory of its own.
func elsewhere(t *testing.T) (*Run, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"test.sh": "#!/bin/sh\n", "data/deep/a": "1", "other/data/b": "2"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	test := filepath.Join(dir, "test.sh")
	return &Run{
		Config: Config{Test: Test{Argv: []string{test}}, Remote: &Remote{Files: []string{filepath.Join(dir, "data")}}},
		Spec:   oracle.Spec{Argv: []string{test}},
	}, dir
}

// The journal's identity includes what outcomes depend on, not the cluster's address or
// credentials.
func TestIdentityThere(t *testing.T) {
	s, dir := elsewhere(t)
	identity := func() string {
		t.Helper()
		var err error
		if s.Remote.Inputs, err = s.inputs(); err != nil {
			t.Fatal(err)
		}
		return string(bytes.Join(s.Remote.Identity(), []byte{0}))
	}
	first := identity()
	s.Remote.Target, s.Remote.Instance, s.Remote.Jobs, s.Remote.Cache = "grpcs://other", "other", 3, remote.CacheOff
	s.Remote.Headers = func() ([]remote.Header, error) { return []remote.Header{{Name: "a", Value: "b"}}, nil }
	s.Remote.TLS.CA = "ca.pem"
	if identity() != first {
		t.Error("another address or another token is another test")
	}
	known := map[string]string{first: "the first"}
	for name, change := range map[string]func(){
		"a file":     func() { os.WriteFile(filepath.Join(dir, "data/deep/a"), []byte("3"), 0o644) },
		"a new file": func() { os.WriteFile(filepath.Join(dir, "data/c"), nil, 0o644) },
		"properties": func() { s.Remote.Platform = map[string]string{"OS": "x"} },
		"variables":  func() { s.Remote.Env = []string{"A=b"} },
		"the check":  func() { s.Remote.Check = "true" },
		"an input":   func() { s.Remote.Files = append(s.Remote.Files, filepath.Join(dir, "other/data/b")) },
	} {
		change()
		now := identity()
		if is, twice := known[now]; twice {
			t.Errorf("%s makes no difference to %s", name, is)
		}
		known[now] = name
	}
}

// Two files with one remote path are an error, as is the test's directory.
func TestInputs(t *testing.T) {
	s, dir := elsewhere(t)
	inputs, err := s.inputs()
	if err != nil || len(inputs) != 2 || inputs[0].Path != "test.sh" || inputs[1].Path != "data" {
		t.Errorf("%+v, %v", inputs, err)
	}
	for path, want := range map[string]string{
		dir: "is where the test is", filepath.Join(filepath.Dir(dir), "far", "data"): "would both be data",
	} {
		s.Remote.Files = []string{filepath.Join(dir, "data"), path}
		if _, err := s.inputs(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Estimates of the local load do not grow with the jobs of a cluster.
func TestNear(t *testing.T) {
	cores := runtime.NumCPU()
	for _, c := range []struct{ jobs, remote, want int }{
		{3, 0, 3}, {64, 64, min(64, cores)}, {66, 64, max(2, cores)}, {500 + cores, 500, cores}, {1, 1, 1},
	} {
		o := Config{Jobs: c.jobs}
		if c.remote > 0 {
			o.Remote = &Remote{Options: remote.Options{Jobs: c.remote}}
		}
		if got := o.near(); got != c.want {
			t.Errorf("%d jobs, %d of them elsewhere: %d here, want %d", c.jobs, c.remote, got, c.want)
		}
	}
}
