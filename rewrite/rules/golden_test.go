package rules_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/grammars"
	"whittle/parse"
	"whittle/rewrite/rules"
)

var update = flag.Bool("update", false, "rewrite testdata/golden")

func bundled(t testing.TB, language string) *rules.Set {
	t.Helper()
	text, ok := grammars.Rules(language)
	if !ok {
		t.Fatalf("no rules for %s", language)
	}
	set, err := rules.Read(language+".rules", text, grammars.Rules)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Every bundled rule compiles, matches its language's sample, and each alternative gives a candidate without further
// syntax errors. The golden file has the first one of each rule.
func TestBundled(t *testing.T) {
	for _, language := range grammars.WithRules() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			l, ok := grammars.Find(language)
			if !ok {
				t.Fatalf("rules for %s, which is not a language", language)
			}
			set := bundled(t, language)
			if len(set.Rules) == 0 {
				return // only facts
			}
			if err := set.Check(l); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "golden", language+".txtar")
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sample := archive.Files[0].Data
			got := golden(t, set, l, sample)
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "rules", Data: got})
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if len(archive.Files) < 2 || !bytes.Equal(got, archive.Files[1].Data) {
				t.Errorf("%s is stale (-update), want:\n%s", file, got)
			}
		})
	}
}

func golden(t *testing.T, set *rules.Set, l parse.Language, sample []byte) []byte {
	var b bytes.Buffer
	tree, err := l.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	find := set.In(l)
	for i, r := range set.Rules {
		if r.Why == "" {
			t.Errorf("%s:%d: the rule has no comment: %s", r.File, r.Line, r)
		}
		fmt.Fprintf(&b, "%s\n", r)
		done := map[int]bool{}
		for _, m := range find.Matches(i, tree) {
			text := parse.Whole(tree).Apply(m.Edits...).Drop(m.Drop...).Render()
			if done[m.With] || l.Errors(text) > tree.Errors {
				continue
			}
			done[m.With] = true
			before, after := m.Texts(tree)
			fmt.Fprintf(&b, "\t%s   =>   %s\n", short(before), short(after))
		}
		for k, with := range r.With {
			if !done[k] {
				t.Errorf("%s:%d: no match in the sample gives a correct candidate for %s => %s", r.File, r.Line, r.Pattern, with)
			}
		}
	}
	return b.Bytes()
}

func short(text string) string {
	const most = 80
	line := strings.Join(strings.Fields(text), " ")
	if len(line) > most {
		return line[:most/2] + " … " + line[len(line)-most/2:]
	}
	return line
}
