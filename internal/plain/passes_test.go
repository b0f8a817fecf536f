package plain_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/grammars"
	"whittle/internal/plain"
	"whittle/internal/testkit/passtest"
	"whittle/parse"
	"whittle/pass"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// After each file of testdata come the texts that have to stay, in order, and the result.
func TestPasses(t *testing.T) {
	for _, p := range []pass.Pass{plain.Literals(), plain.Names()} {
		t.Run(p.Name, func(t *testing.T) {
			path := filepath.Join("testdata", p.Name+".txtar")
			golden, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := txtar.Archive{Comment: golden.Comment}
			var file txtar.File
			for _, f := range golden.Files {
				switch {
				case strings.HasSuffix(f.Name, ".needs"):
					got.Files = append(got.Files, f, ends(t, p, file, strings.Fields(string(f.Data))))
				case !strings.HasSuffix(f.Name, ".ends"):
					got.Files = append(got.Files, f)
					file = f
				}
			}
			want, _ := os.ReadFile(path)
			if text := txtar.Format(&got); string(text) != string(want) {
				if !*update {
					t.Fatalf("%s is stale (-update): \n%s", path, text)
				}
				if err := os.WriteFile(path, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func ends(t *testing.T, p pass.Pass, f txtar.File, needed []string) txtar.File {
	l := grammars.ForFile(f.Name)
	tree, err := l.Parse(f.Data)
	if err != nil {
		t.Fatal(err)
	}
	best, asked := passtest.Follow(t, p, l, factsOf(l.Name), tree, func(c *parse.Candidate) bool {
		rest, found := string(c.Render()), true
		for _, text := range needed {
			if _, rest, found = strings.Cut(rest, text); !found {
				return false
			}
		}
		return true
	})
	return txtar.File{Name: f.Name + ".ends", Data: fmt.Appendf(nil, "# %d questions\n%s", asked, best.File)}
}
