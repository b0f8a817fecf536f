package whittle_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/journal"
	"whittle/internal/testkit/cases"
)

// These files once never ended: for each removed space token the renderer inserted a space.
func TestWhitespaceTokens(t *testing.T) {
	for _, c := range []struct{ language, source, needed, want string }{
		{"javascript", "let x = <div>hello</div>;\n", "<div> </div>", "<div></div>"},
		{"tsx", "let x = <div>hello</div>;\n", "<div> </div>", "<div></div>"},
		{"kotlin", "fun f(a: Int, b: Int) { println(\"$a $b\") }\n", "\"$a $b\"", ""},
		{"groovy", "println \"$a $b\"\n", "\"$a $b\"", ""},
		{"chars", "a b\n", "a b", "ab"},
		{"chars", "a\xff b\xfe\n", "a b", "ab"},
		{"words", "a b \u00a0 c\n", "a c", "a c"},
	} {
		for _, driver := range whittle.Drivers().Names() {
			all := parts(c.needed, c.language)
			decisions := 0
			ctx, cancel := context.WithCancel(t.Context())
			result, err := whittle.Reduce(ctx, whittle.Options{
				Input: []byte(c.source), Language: language(t, c.language), Driver: driver,
				Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
					if inOrder(string(candidate), all) {
						return algo.Interesting, nil
					}
					return algo.Uninteresting, nil
				},
				Observe: whittle.On(func(whittle.Decision) {
					if decisions++; decisions > 2000 {
						cancel()
					}
				}),
			})
			cancel()
			if err != nil || !result.Complete {
				t.Errorf("%s, %s: %q after %d decisions, %v", c.language, driver, result.File, decisions, err)
			}
			if driver == "perses" && c.want != "" && strings.TrimSpace(string(result.File)) != c.want {
				t.Errorf("%s: %q, want %q", c.language, result.File, c.want)
			}
		}
	}
}

func parts(needed, language string) []string {
	if strings.HasPrefix(needed, `"`) {
		return []string{needed}
	}
	return strings.Fields(needed)
}

func inOrder(text string, parts []string) bool {
	for _, p := range parts {
		_, rest, found := strings.Cut(text, p)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// Each round improves on the round before, too.
func TestAcceptedIsBetter(t *testing.T) {
	for i := range cases.Of(t, len(inputs), 4) {
		in := inputs[i]
		for _, driver := range whittle.Drivers().Names() {
			var last whittle.Decision
			accepted := 0
			_, err := whittle.Reduce(t.Context(), whittle.Options{
				Input: readInput(t, in.file), Language: language(t, in.language), Driver: driver, Property: containing(in.pattern),
				Observe: whittle.On(func(d whittle.Decision) {
					if !d.Accepted || d.Pass == "layout" { // a new layout may be longer
						return
					}
					accepted++
					if d.Pass == last.Pass && (d.Tokens > last.Tokens || d.Tokens == last.Tokens && d.Bytes > last.Bytes) {
						t.Errorf("%s, %s: %d tokens, %d bytes after %d, %d",
							in.file, driver, d.Tokens, d.Bytes, last.Tokens, last.Bytes)
					}
					last = d
				}),
			})
			if err != nil || accepted == 0 && driver != "list" {
				t.Errorf("%s, %s: %d accepted, %v", in.file, driver, accepted, err)
			}
		}
	}
}

// perses rejects a file for its errors, and hdd finds it interesting.
func TestJournalHoldsFacts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	var text strings.Builder
	for i := range 600 {
		fmt.Fprintf(&text, "int f%d(void) { return %d; }\n", i, i)
	}
	input := []byte(text.String())
	said := map[string]algo.Outcome{}
	reduce := func(driver string) {
		var id journal.Identity
		id.Add("input", input)
		journal, err := journal.Open(path, id, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := journal.Begin(); err != nil {
			t.Fatal(err)
		}
		_, err = whittle.Reduce(t.Context(), whittle.Options{
			Input: input, Language: broken{language(t, "c")}, Driver: driver, Journal: journal,
			Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
				outcome := algo.Uninteresting
				if strings.Contains(string(candidate), "f7(") {
					outcome = algo.Interesting
				}
				said[string(candidate)] = outcome
				return outcome, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for candidate, outcome := range said {
			if known, ok := journal.Outcome([]byte(candidate)); !ok || known != outcome {
				t.Errorf("%s: the test said %v of %q, the journal %v", driver, outcome, candidate, known)
			}
		}
		if err := journal.Close(true); err != nil {
			t.Fatal(err)
		}
	}
	reduce("perses")
	reduce("hdd")
}

// broken reports errors in long texts without f500, so contexts of changes do not show them.
type broken struct{ grammars.Language }

func (b broken) Errors(text []byte) int {
	if len(text) > 2000 && !strings.Contains(string(text), "f500(") {
		return 100
	}
	return b.Language.Errors(text)
}
