package diagnose_test

import (
	"testing"

	"whittle/grammars"
	"whittle/internal/diagnose"
)

func TestAnalyse(t *testing.T) {
	l := grammars.ForFile("a.c")
	for _, c := range []struct {
		file         string
		weight, code int
		errors       bool
	}{
		{"int a; // b\n", 4, 3, false},
		{"", 0, 0, false},
		{"int (;\n", 3, 3, true},
	} {
		r, err := diagnose.Analyse(l, []byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Same || r.Weight != c.weight || r.Code != c.code || r.Errors > 0 != c.errors {
			t.Errorf("%q: %+v, want %+v", c.file, r, c)
		}
	}
}
