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

// Comments next to an error come back: at the end of its line, or before it.
func TestDirectives(t *testing.T) {
	const source = "// a\nint x; // b\n// c\n/* d */\nint y;\nint z; // e\n"
	for place, want := range map[string]string{
		"x.cc:1:1": "// a\nint x; // b\nint y;\nint z;\n", "x.cc:2:5": "int x;\n// c\n/* d */\nint y;\nint z;\n",
		"x.cc:3:1": "int x;\nint y;\nint z; // e\n", "-": "",
	} {
		tree, err := grammars.ForFile("x.cc").Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if step := pass.Comments().Search(tree, pass.Gate{}, pass.Plan{}).Repair([]string{place + " x"}); step != nil {
			got = string(step.Candidate.Render())
		}
		if got != want {
			t.Errorf("with an error in %s: %q, want %q", place, got, want)
		}
	}
}
