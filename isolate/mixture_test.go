package isolate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func mixed(t *testing.T, language, good, bad string) *mixture {
	t.Helper()
	l, ok := grammars.Find(language)
	if !ok {
		t.Fatalf("no language %s", language)
	}
	var trees []*parse.Tree
	for _, file := range []string{good, bad} {
		tree, err := l.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return mix(trees[0], trees[1])
}

// Without changes a mixture is the good file, with all changes the bad one, byte for byte.
func TestMixtureEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"int", " x", "\n", "+", "(", ")", "{", "}", ";", "\r\n", "\t", "/* c */", "\"s\"", "\xff", "é",
		"", "1", "//", "a"}
	some := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))])
		}
		return b.String()
	}
	for range 300 {
		good, bad := some(), some()
		for _, language := range []string{"c", "python", "lines", "chars", "structure"} {
			m := mixed(t, language, good, bad)
			var all []int
			for i := range m.changes {
				all = append(all, i)
			}
			if got := string(m.render(nil)); got != good {
				t.Fatalf("%s: no changes give %q, the good file is %q, the bad one %q", language, got, good, bad)
			}
			if got := string(m.render(all)); got != bad {
				t.Fatalf("%s: all changes give %q, the good file is %q, the bad one %q", language, got, good, bad)
			}
		}
	}
}

func TestMixtureBetween(t *testing.T) {
	m := mixed(t, "c", "int f() { return g(x); }\n", "int f() { return h(x+y); }\n")
	for _, tt := range []struct {
		made []int
		want string
	}{
		{[]int{0}, "int f() { return h(x); }\n"},
		{[]int{0, 1}, "int f() { return h(x+); }\n"},
		{[]int{2}, "int f() { return g(x y); }\n"},
		{[]int{1, 2}, "int f() { return g(x+y); }\n"},
	} {
		if got := string(m.render(tt.made)); got != tt.want {
			t.Errorf("changes %v of %d give %q, want %q", tt.made, m.changes, got, tt.want)
		}
	}
	if m.changes != 3 {
		t.Errorf("%d changes, want 3", m.changes)
	}
}
