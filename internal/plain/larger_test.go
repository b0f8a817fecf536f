package plain_test

import (
	"slices"
	"testing"

	"whittle/grammars"
	"whittle/internal/plain"
)

func TestLarger(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"a.c", "int a = 7; f(a, 0, 7, 30UL, 0x10, 1.5, 'x');\n", []string{
			"int a = 70; f(a, 0, 70, 30UL, 0x10, 1.5, 'x');\n", "int a = 7; f(a, 10, 7, 30UL, 0x10, 1.5, 'x');\n",
			"int a = 7; f(a, 0, 7, 300UL, 0x10, 1.5, 'x');\n",
		}},
		{"a.py", "sleep(1_000)\n", []string{"sleep(1_0000)\n"}},
		{"a.c", "int a;\n", nil},
	} {
		tree, err := grammars.ForFile(c.name).Parse([]byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, larger := range plain.Larger(tree) {
			got = append(got, string(larger.Render()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q", got)
		}
	}
}
