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

// rooms says what each package may import besides the standard library. A
// package that is not listed may not exist.
var rooms = map[string][]string{
	".": {"whittle/algo", "whittle/algo/c2d2", "whittle/algo/grain", "whittle/algo/rounds", "whittle/hdd",
		"whittle/mentions", "whittle/oracle", "whittle/parse", "whittle/pass", "whittle/perses", "whittle/rewrite",
		"whittle/search", "whittle/search/journal", "whittle/wide"},
	"algo":           {},
	"algo/c2d2":      {"whittle/algo"},
	"algo/compared":  {"whittle/algo"},
	"algo/grain":     {"whittle/algo", "whittle/algo/rounds"},
	"algo/rounds":    {"whittle/algo"},
	"algo/synthetic": {"whittle/algo"},
	"cmd/ddbench": {"whittle", "whittle/algo", "whittle/algo/compared", "whittle/algo/grain",
		"whittle/algo/rounds", "whittle/algo/synthetic", "whittle/cmd/ddbench/internal/analysis",
		"whittle/cmd/ddbench/internal/lines", "whittle/cmd/ddbench/internal/outcomes",
		"whittle/cmd/ddbench/internal/page", "whittle/cmd/ddbench/internal/peers",
		"whittle/cmd/ddbench/internal/stats", "whittle/cmd/ddbench/internal/tokens",
		"whittle/cmd/ddbench/internal/workers", "whittle/grammars", "whittle/internal/rulefiles",
		"whittle/oracle", "whittle/oracle/local", "whittle/search", "whittle/search/journal",
		"github.com/spf13/cobra", "golang.org/x/sys", "gonum.org/v1/gonum", "gonum.org/v1/plot"},
	"cmd/ddbench/internal/analysis": {"whittle", "whittle/algo", "whittle/cmd/ddbench/internal/stats",
		"whittle/search"},
	"cmd/ddbench/internal/lines": {},
	"cmd/ddbench/internal/outcomes": {"whittle/algo", "whittle/oracle", "whittle/oracle/local", "whittle/search",
		"whittle/search/journal"},
	"cmd/ddbench/internal/page": {},
	"cmd/ddbench/internal/peers": {"whittle/algo", "whittle/cmd/ddbench/internal/lines",
		"whittle/cmd/ddbench/internal/page", "whittle/cmd/ddbench/internal/stats",
		"whittle/cmd/ddbench/internal/tokens", "whittle/internal/process", "whittle/internal/shell", "whittle/oracle",
		"whittle/oracle/local"},
	"cmd/ddbench/internal/stats":  {"gonum.org/v1/gonum"},
	"cmd/ddbench/internal/tokens": {},
	"cmd/ddbench/internal/workers": {"whittle", "whittle/algo", "whittle/cmd/ddbench/internal/page",
		"whittle/cmd/ddbench/internal/stats", "whittle/search", "github.com/pmezard/go-difflib"},
	"cmd/soak": {"whittle/internal/samples"},
	"cmd/whittle": {"whittle", "whittle/algo", "whittle/algo/c2d2", "whittle/algo/grain", "whittle/diagnose", "whittle/grammars",
		"whittle/guard", "whittle/guard/differs", "whittle/internal/account", "whittle/internal/advice", "whittle/internal/batch", "whittle/internal/disk", "whittle/internal/elsewhere", "whittle/internal/includes", "whittle/internal/interrupt",
		"whittle/internal/isolation", "whittle/internal/report", "whittle/internal/shell",
		"whittle/internal/parsers", "whittle/internal/printable", "whittle/internal/reading", "whittle/internal/reduction",
		"whittle/internal/rulefiles", "whittle/internal/serverscript", "whittle/internal/sandbox", "whittle/internal/session", "whittle/internal/toolchain", "whittle/internal/usage", "whittle/internal/versions",
		"whittle/internal/view", "whittle/isolate", "whittle/oracle", "whittle/oracle/local", "whittle/oracle/stages",
		"whittle/parse/antlr", "whittle/parse/antlr/g4", "whittle/pass", "whittle/search/journal", "whittle/sink",
		"github.com/dustin/go-humanize", "github.com/spf13/cobra", "github.com/spf13/pflag"},
	"diagnose": {"whittle/algo", "whittle/failure", "whittle/internal/disk", "whittle/internal/shell", "whittle/oracle", "whittle/oracle/local",
		"whittle/oracle/server", "golang.org/x/sys"},
	"docs/examples/algorithm": {},
	"docs/examples/rewriting": {},
	"failure":                 {"whittle/algo", "whittle/oracle"},
	"failure/script":          {"whittle/internal/shell", "whittle/oracle"},
	"grammars": {"whittle/parse", "whittle/parse/antlr", "whittle/parse/antlr/g4", "whittle/parse/text",
		"whittle/parse/treesitter", "github.com/smacker/go-tree-sitter"},
	"guard/differs": {"whittle/algo", "whittle/guard", "whittle/internal/shell", "whittle/internal/toolchain",
		"whittle/oracle", "whittle/oracle/stages"},
	"guard": {"whittle/algo", "whittle/internal/shell", "whittle/internal/toolchain", "whittle/oracle",
		"whittle/oracle/stages"},
	"hdd": {"whittle/algo", "whittle/algo/rounds", "whittle/parse", "whittle/pass"},
	"guard/place": {"whittle/algo", "whittle/failure", "whittle/guard", "whittle/internal/shell",
		"whittle/internal/toolchain", "whittle/oracle", "whittle/oracle/stages"},
	"internal/account": {"whittle", "whittle/internal/arguments", "whittle/internal/explorer", "whittle/diagnose", "whittle/failure", "whittle/internal/bisect", "whittle/internal/reduction",
		"whittle/internal/report", "whittle/internal/session", "whittle/internal/shell", "whittle/internal/survey",
		"whittle/guard/differs", "whittle/internal/toolchain", "whittle/oracle", "whittle/parse", "whittle/sink", "golang.org/x/sys"},
	"internal/advice": {"whittle", "whittle/algo", "whittle/diagnose", "whittle/internal/printable",
		"whittle/internal/reduction", "whittle/internal/serverscript", "whittle/internal/session", "whittle/internal/shell", "whittle/oracle", "whittle/oracle/server", "github.com/dustin/go-humanize"},
	"internal/algotest": {"whittle/algo", "github.com/rogpeppe/go-internal"},
	"internal/arguments": {"whittle/internal/facts", "whittle/algo", "whittle/internal/shell", "whittle/oracle", "whittle/parse",
		"whittle/parse/bundle", "whittle/pass"},
	"internal/batch": {"whittle", "whittle/internal/advice", "whittle/internal/disk", "whittle/internal/interrupt",
		"whittle/internal/printable", "whittle/internal/reduction", "whittle/internal/session", "whittle/oracle",
		"whittle/parse", "whittle/rewrite", "whittle/search", "github.com/dustin/go-humanize"},
	"internal/beside":  {"golang.org/x/sys"},
	"internal/bisect":  {"whittle/internal/facts", "whittle/internal/report", "whittle/internal/survey", "whittle/internal/toolchain"},
	"internal/changes": {"whittle/internal/diff", "whittle/internal/printable", "github.com/aymanbagabas/go-udiff"},
	"internal/diff":    {"github.com/aymanbagabas/go-udiff"},
	"internal/disk":    {"golang.org/x/sys"},
	"internal/elsewhere": {"whittle/internal/session", "whittle/internal/usage", "whittle/oracle", "whittle/oracle/remote",
		"github.com/spf13/cobra", "github.com/spf13/pflag"},
	"internal/environment": {},
	"internal/explorer":    {"whittle/internal/facts"},
	"internal/facts":       {},
	"internal/includes":    {},
	"internal/interrupt":   {"golang.org/x/sys"},
	"internal/git":         {"whittle/internal/environment", "whittle/parse/bundle"},
	"internal/isolation": {"whittle", "whittle/algo", "whittle/algo/c2d2", "whittle/algo/grain", "whittle/internal/disk", "whittle/internal/interrupt", "whittle/internal/printable",
		"whittle/internal/record", "whittle/internal/reduction", "whittle/internal/session", "whittle/internal/versions",
		"whittle/isolate", "whittle/isolate/pair", "whittle/oracle", "whittle/search", "whittle/search/journal", "whittle/sink"},
	"internal/parsers":   {"whittle/grammars", "whittle/oracle/local", "whittle/parse/treesitter"},
	"internal/printable": {},
	"internal/process": {"whittle/internal/disk", "whittle/internal/environment", "whittle/oracle",
		"golang.org/x/sys"},
	"internal/programs": {},
	"internal/reading":  {"whittle/parse"},
	"internal/record": {"whittle", "whittle/internal/changes", "whittle/internal/report", "whittle/oracle",
		"whittle/internal/diff", "whittle/oracle/stages", "whittle/parse", "whittle/sink"},
	"internal/report": {"whittle/internal/printable", "github.com/dustin/go-humanize"},
	"internal/reduction": {"whittle", "whittle/algo", "whittle/failure", "whittle/internal/arguments", "whittle/internal/disk", "whittle/internal/interrupt",
		"whittle/internal/record", "whittle/internal/report", "whittle/internal/session", "whittle/internal/shell",
		"whittle/isolate/pair", "whittle/oracle", "whittle/parse",
		"whittle/pass", "whittle/search", "whittle/search/journal", "whittle/sink"},
	"internal/rulefiles": {"whittle/grammars", "whittle/parse", "whittle/rewrite", "whittle/rewrite/rules", "whittle/sink"},
	"internal/samples":   {},
	"internal/sandbox":   {"golang.org/x/sys"},
	"internal/session": {"whittle/algo", "whittle/diagnose", "whittle/failure", "whittle/failure/script", "whittle/grammars", "whittle/guard",
		"whittle/guard/differs", "whittle/guard/place", "whittle/internal/arguments", "whittle/internal/includes",
		"whittle/internal/disk", "whittle/internal/interrupt", "whittle/internal/parsers", "whittle/internal/printable",
		"whittle/internal/process", "whittle/internal/reading", "whittle/internal/sandbox", "whittle/internal/shell", "whittle/internal/toolchain", "whittle/oracle", "whittle/oracle/local",
		"whittle/oracle/remote", "whittle/oracle/server", "whittle/oracle/stages", "whittle/parse", "whittle/search/journal", "whittle/sink",
		"github.com/dustin/go-humanize"},
	"internal/serverscript": {"whittle/internal/shell", "whittle/internal/usage", "whittle/oracle",
		"github.com/spf13/cobra"},
	"internal/shell":     {},
	"internal/usage":     {"github.com/spf13/cobra", "github.com/spf13/pflag"},
	"internal/toolchain": {"whittle/internal/facts"},
	"internal/survey": {"whittle/algo", "whittle/failure", "whittle/internal/report", "whittle/internal/shell",
		"whittle/internal/toolchain", "whittle/oracle"},
	"internal/versions": {"whittle/grammars", "whittle/internal/git", "whittle/internal/printable", "whittle/internal/session",
		"whittle/internal/shell", "whittle/isolate", "whittle/mentions", "whittle/parse", "whittle/parse/bundle", "whittle/sink", "whittle/internal/diff"},
	"internal/view": {"whittle", "whittle/internal/changes", "whittle/internal/printable", "whittle/internal/session",
		"charm.land/bubbletea/v2", "github.com/charmbracelet/x", "github.com/dustin/go-humanize",
		"github.com/muesli/cancelreader", "github.com/vbauerster/mpb/v8", "golang.org/x/sys"},
	"isolate": {"whittle/algo", "whittle/oracle", "whittle/parse", "whittle/parse/bundle", "whittle/search",
		"whittle/internal/diff", "whittle/search/journal"},
	"isolate/pair": {"whittle/algo", "whittle/internal/diff", "whittle/oracle", "whittle/parse"},
	"mentions":     {"whittle/algo", "whittle/algo/grain", "whittle/parse", "whittle/pass"},
	"oracle":       {"whittle/algo", "whittle/internal/disk", "whittle/internal/environment", "golang.org/x/sys"},
	"oracle/local": {"whittle/algo", "whittle/internal/disk", "whittle/internal/environment",
		"whittle/internal/process", "whittle/internal/sandbox", "whittle/oracle", "golang.org/x/sys"},
	"oracle/remote": {"whittle/internal/environment", "whittle/internal/process", "whittle/oracle",
		"cloud.google.com/go/longrunning", "github.com/bazelbuild/remote-apis", "google.golang.org/genproto",
		"google.golang.org/grpc", "google.golang.org/protobuf"},
	"oracle/remote/fake": {"cloud.google.com/go/longrunning", "github.com/bazelbuild/remote-apis",
		"google.golang.org/genproto", "google.golang.org/grpc", "google.golang.org/protobuf"},
	"oracle/remote/remotetest": {"github.com/bazelbuild/remote-apis", "google.golang.org/grpc",
		"google.golang.org/protobuf"},
	"oracle/stages": {"whittle/algo", "whittle/oracle"},
	"oracle/server": {"whittle/algo", "whittle/internal/environment", "whittle/internal/process",
		"whittle/oracle"},
	"parse":                          {},
	"parse/antlr":                    {"whittle/parse", "whittle/parse/antlr/g4", "github.com/antlr4-go/antlr/v4"},
	"parse/antlr/g4":                 {"whittle/parse/antlr/g4/internal/chars", "whittle/parse/antlr/g4/internal/syntax"},
	"parse/antlr/g4/internal/chars":  {},
	"parse/antlr/g4/internal/syntax": {"whittle/parse/antlr/g4/internal/chars"},
	"parse/bundle":                   {"whittle/parse"},
	"parse/text":                     {"whittle/parse"},
	"parse/treesitter":               {"whittle/parse", "github.com/smacker/go-tree-sitter"},
	"pass":                           {"whittle/algo", "whittle/algo/rounds", "whittle/parse"},
	"perses":                         {"whittle/algo", "whittle/algo/rounds", "whittle/parse", "whittle/pass"},
	"rewrite":                        {"whittle/algo", "whittle/algo/rounds", "whittle/parse", "whittle/pass"},
	"rewrite/rules":                  {"whittle/parse", "whittle/rewrite"},
	"search":                         {"whittle/algo"},
	"search/journal": {"whittle/algo", "whittle/internal/beside", "whittle/internal/disk",
		"whittle/internal/environment", "whittle/search"},
	"sink": {"whittle/algo", "whittle/internal/beside", "whittle/internal/disk", "whittle/internal/printable", "whittle/oracle",
		"whittle/parse", "whittle/parse/bundle", "whittle/search/journal", "golang.org/x/sys"},
	"wide": {"whittle/algo", "whittle/algo/rounds", "whittle/parse", "whittle/pass"},
}

func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
			return fs.SkipDir
		}
		pkg, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		} else if err != nil {
			return err
		}
		allowed, known := rooms[path]
		if !known {
			t.Errorf("package %s has no room; docs/architecture.md lists them", path)
		}
		for _, imported := range pkg.Imports {
			first, _, _ := strings.Cut(imported, "/")
			ours := first == "whittle" || strings.Contains(first, ".")
			if ours && !slices.ContainsFunc(allowed, func(a string) bool {
				return imported == a || strings.Contains(a, ".") && strings.HasPrefix(imported, a+"/")
			}) {
				t.Errorf("package %s must not import %s", path, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What only the bench needs is required by its module alone.
func TestRequirements(t *testing.T) {
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(module), "gonum") {
		t.Error("who imports whittle must not need gonum")
	}
}
