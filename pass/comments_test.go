package pass_test

import (
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

// If an attribute is required, the plain comments are removed.
func TestComments(t *testing.T) {
	const source = "/* a */ int x; // b\nint f() __attribute__((noinline));\n"
	for needed, want := range map[string][]string{
		"x":        {"int x;\nint f();\n"},
		"noinline": {"int x;\nint f();\n", "int x;\nint f() __attribute__((noinline));\n"},
		"/* a */":  {"int x;\nint f();\n", "int x;\nint f() __attribute__((noinline));\n", "/* a */ int x; // b\nint f();\n"},
	} {
		tree, err := grammars.ForFile("x.cc").Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		ask(pass.Comments().Search(tree, pass.Gate{}, pass.Plan{}), func(c *parse.Candidate) bool {
			asked = append(asked, string(c.Render()))
			return strings.Contains(asked[len(asked)-1], needed)
		})
		if !slices.Equal(asked, want) {
			t.Errorf("where %s is needed: %q, want %q", needed, asked, want)
		}
	}
}
