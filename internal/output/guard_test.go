package output_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"whittle/algo"
	"whittle/internal/journal"
	"whittle/internal/output"
	"whittle/oracle"
	"whittle/parse"
)

func tokens(file []byte) int { return len(bytes.Fields(file)) }

func TestGuard(t *testing.T) {
	for _, c := range []struct {
		name    string
		best    string
		improve []string // files of the second run
		want    string
	}{
		{"before the best", "best", []string{"input", "ab", "abc"}, "best"},
		{"at the best", "best", []string{"input", "ab", "best"}, "best"},
		{"after the best, longer", "best", []string{"input", "ab", "best", "longer"}, "longer"},
		{"another way", "best", []string{"input", "new long", "new"}, "new"},
		{"shorter, more tokens", "best", []string{"input", "a b"}, "best"},
		{"fewer tokens, as long", "b c", []string{"input", "new"}, "b c"},
		{"fewer tokens, longer", "b c", []string{"input", "long"}, "b c"},
	} {
		path := filepath.Join(t.TempDir(), "a.journal")
		earlier, err := journal.Open(path, journal.Identity{}, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := earlier.Begin(); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"input", "ab", "abc", "best", "b c"} {
			earlier.Learn(oracle.KeyOf([]byte(file)), algo.Interesting, 0)
		}
		if err := earlier.Close(true); err != nil {
			t.Fatal(err)
		}
		journal, err := journal.Open(path, journal.Identity{}, false)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(path, []byte(c.best), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := output.NewInput(false, "in")
		if err != nil {
			t.Fatal(err)
		}
		in.Bytes, in.Mode = []byte("input"), 0o600
		out, err := output.NewOutput(in, path, "test")
		if err != nil {
			t.Fatal(err)
		}
		if err := out.Claim(); err != nil {
			t.Fatal(err)
		}
		defer out.Release()
		g, err := out.Guard(journal, false, tokens)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range c.improve {
			journal.Learn(oracle.KeyOf([]byte(file)), algo.Interesting, 0)
			if err := g.Write(parse.Measure{Tokens: tokens([]byte(file)), File: []byte(file)}); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); string(got) != c.want || err != nil {
			t.Errorf("%s: the output is %q, want %q; %v", c.name, got, c.want, err)
		}
		if err := journal.Close(false); err != nil {
			t.Fatal(err)
		}
	}
}
