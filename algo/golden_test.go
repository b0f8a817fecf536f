package algo

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden traces in testdata/algo")

// A golden file is a scenario in JSON and the whole trace of its search.
type scenario struct {
	Algorithm string
	P0        float64
	Items     string // names, separated by spaces
	Weights   []int  // all 1 if left out
	// Needs lists the sets of items, each of which suffices if all its items
	// are kept.
	Needs []string
	// Requires lists pairs of items. A list with the first and without the
	// second is unresolved, as a program that does not compile.
	Requires []string
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("../testdata/algo/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			was := txtar.Format(ar)
			var sc scenario
			dec := json.NewDecoder(bytes.NewReader(ar.Comment))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&sc); err != nil {
				t.Fatal(err)
			}
			ar.Files = sc.trace(t)
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
}

func (sc scenario) trace(t *testing.T) []txtar.File {
	items := strings.Fields(sc.Items)
	if sc.Weights == nil {
		sc.Weights = make([]int, len(items))
		for i := range sc.Weights {
			sc.Weights[i] = 1
		}
	}
	tr := run(t, len(items), search(t, sc.Algorithm, sc.P0, sc.Weights), sc.property(items))
	var probes, result bytes.Buffer
	for _, p := range tr.probes {
		again := ""
		if p.again {
			again = " again"
		}
		fmt.Fprintf(&probes, "%s %v%s\n", row(items, p.kept), p.outcome, again)
	}
	fmt.Fprintf(&result, "%s\n%d tests, %d asked\n", row(items, tr.result), tr.tests, len(tr.probes))
	return []txtar.File{{Name: "probes", Data: probes.Bytes()}, {Name: "result", Data: result.Bytes()}}
}

func (sc scenario) property(items []string) func(kept []int) Outcome {
	var sets, pairs [][]int
	for _, s := range sc.Needs {
		sets = append(sets, indexes(items, strings.Fields(s)))
	}
	for _, s := range sc.Requires {
		pairs = append(pairs, indexes(items, strings.Fields(s)))
	}
	interesting := needs(sets...)
	return func(kept []int) Outcome {
		for _, pair := range pairs {
			if contains(kept, pair[:1]) && !contains(kept, pair[1:]) {
				return Unresolved
			}
		}
		return interesting(kept)
	}
}

// row shows the kept items, each at its place, and a dot for each other item.
func row(items []string, kept []int) string {
	var cells []string
	for i, name := range items {
		cell := strings.Repeat(".", len(name))
		if contains(kept, []int{i}) {
			cell = name
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, " ")
}
