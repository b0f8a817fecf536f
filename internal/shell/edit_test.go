package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestEdit(t *testing.T) {
	upper := func(words []string) []string {
		var edited []string
		for _, w := range words {
			edited = append(edited, strings.ReplaceAll(w, "a", "A b"))
		}
		return edited
	}
	for script, want := range map[string]string{
		"a":                          "'A b'",
		"if x a; then y <a; fi # a":  "if x 'A b'; then y <'A b'; fi # a",
		`x "a" 'a' \a "$a" a$(x a) `: `x 'A b' 'A b' 'A b' "$a" a$(x 'A b') `,
		"v=a x <<a\nx a\na\n":        "v=a x <<a\nx a\na\n",
		"f() { x a; }; (f)":          "f() { x 'A b'; }; (f)",
		"x 'a":                       "x 'a",
	} {
		if got := Edit(script, upper); got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
	}
}

// Words have the values of variables, but not those of arguments and results of commands.
func TestEditKnowsVariables(t *testing.T) {
	t.Setenv("LIB", "/lib")
	var got []string
	Edit("CC=gcc\nI=-I${X:-$LIB}\nV=$(x)\nA=1 B=\n\"$CC\" $I $V \"$1\" -$A$B ${C}\nCC=\"$2\"; $CC; F=${1:-a}; $F", func(words []string) []string {
		got = append(got, words...)
		return words
	})
	want := []string{"x", "gcc", "-I/lib", "$V", `"$1"`, "-1", "${C}", "$CC", "$F"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestIn(t *testing.T) {
	for _, c := range []struct{ words, want []string }{
		{[]string{"make", "test it"}, []string{"sh", "-c", "cd 'a b' && make 'test it'"}},
		{[]string{"env", "bash", "-ec", "make; ls"}, []string{"env", "bash", "-ec", "cd 'a b' && make; ls"}},
		{[]string{"python3", "-c", "1"}, []string{"sh", "-c", "cd 'a b' && python3 -c 1"}},
	} {
		if got := In("a b", c.words); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}

func TestElsewhere(t *testing.T) {
	dir := t.TempDir()
	for command, want := range map[string]bool{
		"git -C " + dir + " apply {}":                  true,
		"env --chdir=" + dir + " cat {}":               true,
		"rustc -C opt-level=3 {}":                      false,
		"sh -c 'cd " + dir + " && cat {}'":             true,
		`sh -c 'cd "$x" && cat {}'`:                    true,
		`sh -c 'cd "$x" && cat "$OLDPWD/{}"'`:          false,
		"sh -c 'mkdir a && cp {} a && cd a && cat {}'": false,
	} {
		words, err := Split(command)
		if err != nil {
			t.Fatal(err)
		}
		if got := Elsewhere(words); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}
