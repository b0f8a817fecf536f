package rules_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"whittle/grammars"
)

// TestPage compares the table of rules in the documentation with the rules.
func TestPage(t *testing.T) {
	const page = "../../docs/rewriting.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	by, _, ok := bytes.Cut(text, []byte("<!-- rules -->\n"))
	if !ok {
		t.Fatalf("%s has no line <!-- rules -->", page)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s<!-- rules -->\n", by)
	for _, language := range grammars.WithRules() {
		fmt.Fprintf(&b, "### %s\n", language)
		if text, _ := grammars.Rules(language); bytes.Contains(text, []byte("\n@include ")) {
			_, names, _ := bytes.Cut(text, []byte("\n@include "))
			name, _, _ := bytes.Cut(names, []byte("\n"))
			fmt.Fprintf(&b, "Those of %s as well.\n\n", name)
		}
		why := ""
		for i, r := range bundled(t, language).Rules {
			if r.File != language+".rules" {
				continue // of another language, which has them
			}
			if r.Why != why || i == 0 {
				if why != "" {
					b.WriteString("```\n")
				}
				why = r.Why
				fmt.Fprintf(&b, "%s\n```\n", why)
			}
			fmt.Fprintln(&b, r)
		}
		if why != "" {
			b.WriteString("```\n")
		}
		b.WriteString("\n")
	}
	want := append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
	if bytes.Equal(text, want) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale; go test ./rewrite/rules -update rewrites it", page)
	}
	if err := os.WriteFile(page, want, 0o666); err != nil {
		t.Fatal(err)
	}
}
