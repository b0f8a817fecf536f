package whittle_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// public lists the packages for users of the library.
const public = `. algo algo/c2d2 algo/grain algo/rounds grammars hdd isolate oracle parse parse/antlr parse/archive
	parse/text parse/treesitter pass perses rewrite rewrite/rules`

// Users of the library cannot import internal packages, so exported declarations must not
// mention their types.
func TestPublicTypes(t *testing.T) {
	for _, dir := range strings.Fields(public) {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			internal := map[string]bool{}
			for _, spec := range file.Imports {
				if imported, _ := strconv.Unquote(spec.Path.Value); strings.Contains(imported, "/internal/") {
					internal[imported[strings.LastIndexByte(imported, '/')+1:]] = true
				}
			}
			ast.FileExports(file) // drops unexported declarations and fields
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BlockStmt:
					return false
				case *ast.ValueSpec:
					return n.Type != nil
				case *ast.SelectorExpr:
					x, is := n.X.(*ast.Ident)
					if is && x.Name == "environment" && n.Sel.Name == "Error" {
						return true // its public name is oracle.EnvironmentError
					}
					if is && internal[x.Name] {
						t.Errorf("%s: exported declaration with %s.%s", set.Position(n.Pos()), x.Name, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
