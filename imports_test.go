package whittle_test

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers lists all packages, lowest first. A package imports only packages of lower layers.
var layers = []string{
	`algo parse internal/disk
		internal/printable internal/sandbox internal/shell`,
	`algo/c2d2 algo/rounds oracle parse/archive parse/text parse/treesitter
		internal/diff internal/rate internal/usage`,
	`algo/grain pass parse/antlr/g4 internal/failure internal/failure/script internal/journal
		internal/pipeline internal/process internal/search internal/serverscript`,
	`internal/chain internal/dropin internal/forkserver internal/tool`,
	`hdd perses rewrite isolate parse/antlr internal/deps internal/local
		internal/plain internal/propose internal/queue internal/remote internal/server internal/ssa internal/tmin internal/valid
		internal/wide`,
	`. rewrite/rules internal/diagnose`,
	`grammars internal/coverage`,
	`internal/project`,
	`internal/others internal/output internal/report`,
	`internal/run`,
	`internal/remoteflags internal/view`,
	`internal/account internal/isolation`,
	`internal/batch internal/stage`,
	`internal/repro`,
	`cmd/whittle`,
}

// thirdParty lists the packages that may import a module.
var thirdParty = map[string]string{
	"charm.land/":                      "internal/view",
	"github.com/antlr4-go/":            "parse/antlr",
	"github.com/aymanbagabas/go-udiff": "internal/diff",
	"github.com/charmbracelet/":        "internal/view",
	"github.com/dustin/go-humanize": "cmd/whittle internal/account internal/batch internal/diagnose internal/process " +
		"internal/report internal/run internal/tmin internal/stage internal/valid internal/view",
	"github.com/muesli/cancelreader":    "internal/view",
	"github.com/smacker/go-tree-sitter": "grammars parse/treesitter",
	"github.com/spf13/":                 "cmd/whittle internal/serverscript internal/tmin internal/usage",
	"github.com/bazelbuild/remote-apis": "internal/remote",
	"cloud.google.com/go/longrunning":   "internal/remote",
	"google.golang.org/":                "internal/remote",
	"mvdan.cc/sh":                       "internal/shell",
	"golang.org/x/sync":                 "internal/batch internal/chain internal/diagnose internal/local",
	"golang.org/x/sys": "oracle cmd/whittle internal/account internal/diagnose internal/disk internal/forkserver " +
		"internal/local internal/output internal/process internal/run internal/sandbox internal/view",
}

func TestImports(t *testing.T) {
	layer := map[string]int{}
	for i, l := range layers {
		for _, p := range strings.Fields(l) {
			layer[p] = i
		}
	}
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for p := range layer {
		if name := strings.TrimPrefix(p, "internal/"); p != "." && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/architecture.md does not mention %s", name)
		}
	}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		if path != "." && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "testkit", "bench", "docs", "packaging"}, name)) {
			return fs.SkipDir
		}
		pkg, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		} else if err != nil {
			return err
		}
		mine, known := layer[path]
		if !known {
			t.Errorf("package %s is in no layer", path)
		}
		for _, imported := range pkg.Imports {
			ours, is := strings.CutPrefix(imported, "whittle/")
			if imported == "whittle" {
				ours, is = ".", true
			}
			if other, known := layer[ours]; is && (!known || other >= mine) {
				t.Errorf("package %s must not import %s", path, imported)
			}
			if first, _, _ := strings.Cut(imported, "/"); !is && strings.Contains(first, ".") && !mayImport(path, imported) {
				t.Errorf("package %s must not import %s", path, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mayImport(path, imported string) bool {
	for prefix, packages := range thirdParty {
		if strings.HasPrefix(imported, prefix) && slices.Contains(strings.Fields(packages), path) {
			return true
		}
	}
	return false
}

// The bench is a module of its own, so users of the library do not need its requirements.
func TestRequirements(t *testing.T) {
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(module), "gonum") {
		t.Error("go.mod requires gonum, which only bench/go.mod should")
	}
}
