package whittle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whittle"
	"whittle/grammars"
)

var bundled = []struct {
	file, pattern string
	tokens        int // maximum left
}{
	{"csv/birds.csv", `"small, loud"`, 2},
	{"datalog/component.dl", `in\(t : T\)`, 7},
	{"datalog/points.dl", `count`, 30},
	{"dot/states.dot", `&amp;`, 16},
	{"dot/states.dot", `f -> 12`, 9},
	{"ini/unit.service", `--flag`, 3},
	{"json/object.json", `\\u`, 1},
	{"llvm/typed.ll", `shufflevector`, 40},
	{"llvm/debug.ll", `!DILocation`, 10},
	{"mlir/dialects.mlir", `vector.contract`, 40},
	{"mlir/generic.mlir", `func.call`, 40},
	{"smt2/arrays.smt2", `forall`, 14},
	{"xml/catalog.xml", `<!\[CDATA\[`, 10},
}

func TestBundledLanguagesReduce(t *testing.T) {
	for _, test := range bundled {
		t.Run(test.file+" "+test.pattern, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("grammars", "testdata", "samples", test.file))
			if err != nil {
				t.Fatal(err)
			}
			l := grammars.ForFile(test.file)
			for _, driver := range []string{"coupled", "perses", "hdd"} {
				r, err := whittle.Reduce(context.Background(), whittle.Options{
					Input: source, Language: l, Driver: driver, Property: containing(test.pattern),
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: %d of %d tokens left, %d tests:\n%s", driver, r.Tokens, r.TokensAtAll, r.Tests, r.File)
				if r.Tokens > test.tokens && driver != "hdd" || r.Tokens > r.TokensAtAll/2 {
					t.Errorf("%s left %d of %d tokens:\n%s", driver, r.Tokens, r.TokensAtAll, r.File)
				}
				if n := l.Errors(r.File); n > 0 && driver != "hdd" {
					t.Errorf("%d syntax errors in\n%s", n, r.File)
				}
			}
		})
	}
}
