package whittle_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/api.txt")

var public = strings.Fields(`. algo algo/c2d2 algo/grain algo/rounds grammars hdd isolate oracle
	parse parse/antlr parse/antlr/g4 parse/archive parse/text parse/treesitter pass perses rewrite rewrite/rules`)

// 'go test . -run TestAPI -update' accepts a change of the public packages. No declaration may mention an internal
// type.
func TestAPI(t *testing.T) {
	var listing strings.Builder
	for _, dir := range public {
		listing.WriteString("package " + dir + "\n")
		for _, d := range exported(t, dir) {
			listing.WriteString(d + "\n")
		}
		listing.WriteString("\n")
	}
	const golden = "testdata/api.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(listing.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if listing.String() != string(want) {
		t.Error("the API has changed; if this is meant: go test . -run TestAPI -update")
	}
	now, before := strings.Split(listing.String(), "\n"), strings.Split(string(want), "\n")
	for _, line := range now {
		if !slices.Contains(before, line) {
			t.Errorf("new in the API: %s", line)
		}
	}
	for _, line := range before {
		if !slices.Contains(now, line) {
			t.Errorf("gone from the API: %s", line)
		}
	}
}

func exported(t *testing.T, dir string) (decls []string) {
	t.Helper()
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, name := range append(pkg.GoFiles, pkg.CgoFiles...) {
		file, err := parser.ParseFile(set, path.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		internal := internalNames(file)
		ast.FileExports(file)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				continue
			}
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
			mentions(d, func(name string) {
				if internal[name] {
					t.Errorf("%s: an exported declaration mentions the internal package %s", set.Position(d.Pos()), name)
				}
			})
			var b bytes.Buffer
			if err := printer.Fprint(&b, set, d); err != nil {
				t.Fatal(err)
			}
			decls = append(decls, b.String())
		}
	}
	slices.Sort(decls)
	return decls
}

func internalNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, i := range file.Imports {
		imported, _ := strconv.Unquote(i.Path.Value)
		if strings.Contains(imported, "/internal/") {
			names[path.Base(imported)] = true
			if i.Name != nil {
				names[i.Name.Name] = true
			}
		}
	}
	return names
}

func mentions(d ast.Decl, found func(name string)) {
	ast.Inspect(d, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Type == nil {
			return false
		}
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				found(x.Name)
			}
		}
		return true
	})
}
