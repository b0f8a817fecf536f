package algotest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/algo"
)

var update = flag.Bool("update", false, "rewrite the golden traces in testdata/algo")

// A golden file is a scenario in JSON and the trace of its search.
type scenario struct {
	Algorithm string
	P0        float64
	Items     string // names, separated by spaces
	Weights   []int  // all 1 if omitted
	// Needs lists sets of items. One of the sets must be kept.
	Needs []string
	// Requires lists pairs of items. The first without the second is unresolved, like a program that does not
	// compile.
	Requires []string
	// Reported lists the pairs that the algorithm knows.
	Reported []string
}

// Golden checks the traces in a directory. Each algorithm of the table must have some.
func Golden(t *testing.T, folder string, table algo.Table) {
	GoldenOf(t, folder, table.Names(), func(name string, _ [][]int, p algo.Params) (algo.Algorithm, error) {
		e, err := table.Find(name)
		if err != nil {
			return nil, err
		}
		return e.With(p), nil
	})
}

// GoldenOf is Golden for the named algorithms. with returns an algorithm for reported needs.
func GoldenOf(t *testing.T, folder string, names []string,
	with func(name string, reported [][]int, p algo.Params) (algo.Algorithm, error)) {
	t.Helper()
	files, err := filepath.Glob(folder + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	traced := map[string]bool{}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sc scenario
		dec := json.NewDecoder(bytes.NewReader(ar.Comment))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&sc); err != nil {
			t.Fatal(file, err)
		}
		if !slices.Contains(names, sc.Algorithm) {
			continue
		}
		traced[sc.Algorithm] = true
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			algorithm, err := with(sc.Algorithm, sc.reported(), algo.Params{P0: sc.P0, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			was := txtar.Format(ar)
			ar.Files = sc.trace(t, algorithm)
			is := txtar.Format(ar)
			if bytes.Equal(was, is) {
				return
			}
			if *update {
				if err := os.WriteFile(file, is, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("trace differs (rewrite with -update)\nwas:\n%s\nis:\n%s", was, is)
		})
	}
	for _, name := range names {
		if !traced[name] {
			t.Errorf("%s has no trace of %s", folder, name)
		}
	}
}

func (sc scenario) trace(t *testing.T, algorithm algo.Algorithm) []txtar.File {
	items := strings.Fields(sc.Items)
	if sc.Weights == nil {
		sc.Weights = make([]int, len(items))
		for i := range sc.Weights {
			sc.Weights[i] = 1
		}
	}
	tr := Run(t, len(items), algorithm(sc.Weights), sc.property(items))
	var probes, result bytes.Buffer
	for _, p := range tr.Probes {
		again := ""
		if p.Again {
			again = " again"
		}
		fmt.Fprintf(&probes, "%s %v%s\n", positions(items, p.Kept), p.Outcome, again)
	}
	fmt.Fprintf(&result, "%s\n%d tests, %d asked\n", positions(items, tr.Result), tr.Tests, len(tr.Probes))
	return []txtar.File{{Name: "probes", Data: probes.Bytes()}, {Name: "result", Data: result.Bytes()}}
}

func (sc scenario) reported() [][]int {
	if sc.Reported == nil {
		return nil
	}
	items := strings.Fields(sc.Items)
	needs := make([][]int, len(items))
	for _, s := range sc.Reported {
		pair := Indexes(items, strings.Fields(s))
		needs[pair[0]] = append(needs[pair[0]], pair[1])
	}
	return needs
}

func (sc scenario) property(items []string) func(kept []int) algo.Outcome {
	var sets, pairs [][]int
	for _, s := range sc.Needs {
		sets = append(sets, Indexes(items, strings.Fields(s)))
	}
	for _, s := range sc.Requires {
		pairs = append(pairs, Indexes(items, strings.Fields(s)))
	}
	interesting := Needs(sets...)
	return func(kept []int) algo.Outcome {
		for _, pair := range pairs {
			if Contains(kept, pair[:1]) && !Contains(kept, pair[1:]) {
				return algo.Unresolved
			}
		}
		return interesting(kept)
	}
}

func positions(items []string, kept []int) string {
	var cells []string
	for i, name := range items {
		cell := strings.Repeat(".", len(name))
		if Contains(kept, []int{i}) {
			cell = name
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, " ")
}
