package main

import (
	"path/filepath"
	"testing"

	"whittle/algo"
	"whittle/search"
	"whittle/search/journal"
	"whittle/sink"
)

// The best of an earlier run stays until it comes up again or a new one is
// shorter, also if files grow on the way.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		name    string
		improve []string // the same as the earlier run, then on
		want    string
	}{
		{"not there yet", []string{"input", "ab", "abc"}, "best"},
		{"there", []string{"input", "ab", "best"}, "best"},
		{"further, and longer", []string{"input", "ab", "best", "longer"}, "longer"},
		{"by another way", []string{"input", "new long", "new"}, "new"},
	} {
		path := filepath.Join(t.TempDir(), "a.journal")
		earlier, err := journal.Open(path, journal.Identity{}, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := earlier.Begin(); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"input", "ab", "abc", "best"} {
			earlier.Learn(search.KeyOf([]byte(file)), algo.Interesting, 0)
		}
		if err := earlier.Close(true); err != nil {
			t.Fatal(err)
		}
		journal, err := journal.Open(path, journal.Identity{}, false)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(t.TempDir(), "out")
		write(t, path, "best", 0o600)
		out := &places{
			subject: &subject{mode: 0o600}, all: []*place{{path: path, name: "."}},
			say: t.Logf, puts: func(sink.Sum) {},
		}
		if err := out.claim(); err != nil {
			t.Fatal(err)
		}
		defer out.release()
		h := hold(out, journal, []byte("input"))
		for _, file := range c.improve {
			journal.Learn(search.KeyOf([]byte(file)), algo.Interesting, 0)
			if err := h.write([]byte(file)); err != nil {
				t.Fatal(err)
			}
		}
		if got := read(t, path); got != c.want {
			t.Errorf("%s: the output is %q, want %q", c.name, got, c.want)
		}
		if err := journal.Close(false); err != nil {
			t.Fatal(err)
		}
	}
}
