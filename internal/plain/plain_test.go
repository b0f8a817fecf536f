package plain_test

import (
	"context"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

// All tokens are needed, but not their texts.
func TestPlain(t *testing.T) {
	for _, x := range []struct{ language, source, needed, want string }{
		{"c", "int main(void)\n{\n  long total = 31UL; return total + 0x00;\n}", "int main ( long = ; return + ; }",
			"int main(void) {\n  long a = 0;\n  return a + 0;\n}\n"},
		{"c", "char *text = \"hello, %s\";\nint g = 987654;", "char * = \" %s \" int 987 ;",
			"char *a = \"%s\";\nint g = 987;\n"},
		{"go", "package p\nvar c = 'x' + '\\n' + 'b'", "package var = + + b", "package p\nvar c = 0 + 0 + 'b'\n"},
		{"go", "package p\nfunc Total(count int) int {\n\treturn count}", "package func ( int ) int { return }",
			"package p\nfunc A(a int) int {\n\treturn a\n}\n"},
		{"json", "{\"hello, world\":\n   [123456.5e7]}", "{ hello : [ ] }", "{\"hello\": [0]}\n"},
	} {
		l, _ := grammars.Find(x.language)
		tree, err := l.Parse([]byte(x.source))
		if err != nil {
			t.Fatal(err)
		}
		result, err := whittle.Reduce(t.Context(), whittle.Options{
			Input: []byte(x.source), Language: l,
			Property: func(_ context.Context, file []byte) (algo.Outcome, error) {
				rest := string(file)
				for _, text := range strings.Fields(x.needed) {
					_, after, found := strings.Cut(rest, text)
					if !found {
						return algo.Uninteresting, nil
					}
					rest = after
				}
				if other, err := l.Parse(file); err != nil || len(other.Tokens)-other.Spaces() < len(tree.Tokens)-tree.Spaces() {
					return algo.Uninteresting, nil
				}
				return algo.Interesting, nil
			},
		})
		if got := string(result.File); got != x.want || err != nil {
			t.Errorf("%s: %q became\n%s, want\n%s%v", x.language, x.source, got, x.want, err)
		}
	}
}
