package tool

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/oracle"
	"whittle/parse"
)

// Commands are decoded unchanged. After deletions, all other words remain in order. Encoding is the
// inverse of decoding.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("gcc clang mytool env java sh timeout 10 A=b -w -O3 -g -I inc -Iinc --param x=1 -mllvm " +
		"-x c {} -o out -c - -- a.c --in={} +x -Xclang @f %20 a,b 1:-w = -u")
	vocabulary = append(vocabulary, "a b", "", "é\n")
	for range 3000 {
		words := []string{vocabulary[r.IntN(7)]}
		for range r.IntN(12) {
			words = append(words, vocabulary[r.IntN(len(vocabulary))])
		}
		l := NewArguments(NewReducible(words), []byte("int a;\n"), ofC, nil)
		tree, err := l.Parse(l.Archive())
		if err != nil || tree.Errors > 0 {
			t.Fatalf("%q: %v, %d errors", words, err, tree.Errors)
		}
		whole := parse.Whole(tree)
		items := whole.Items(tree.Root(tree.Parts[1]))
		var gone []int32
		for _, n := range items {
			if r.IntN(2) == 0 {
				gone = append(gone, n)
			}
		}
		for _, c := range []*parse.Candidate{whole, whole.Drop(gone...)} {
			v, ok := l.Open(c.Render())
			spec := v.Spec(oracle.Spec{Argv: words})
			if !ok || string(v.File) != "int a;\n" || c == whole && !slices.Equal(spec.Argv, words) ||
				!within(spec.Argv, words) || len(words)-len(spec.Argv) != free(l.command)-v.Free {
				t.Fatalf("%q without %d of %d: %v, %q", words, len(gone), len(items), ok, spec.Argv)
			}
			if again := string(l.Close(v)); fmt.Sprint(l.Open([]byte(again))) != fmt.Sprint(l.Open(c.Render())) {
				t.Fatalf("%q: %q", words, again)
			}
		}
		for _, w := range words[1:] {
			if (strings.Contains(w, "{}") || w == "-" || w == "--") && slices.ContainsFunc(l.command.units, func(u unit) bool {
				return slices.Contains(words[u.from:u.to], w)
			}) {
				t.Fatalf("%q: %s may go", words, w)
			}
		}
	}
}

// within reports whether some is a subsequence of all.
func within(some, all []string) bool {
	for _, w := range all {
		if len(some) > 0 && some[0] == w {
			some = some[1:]
		}
	}
	return len(some) == 0
}

func TestPreprocess(t *testing.T) {
	words := strings.Fields("/bin/gcc-12 -O2 -I inc -iquoteq -o x.o -I -c {}")
	if dirs := IncludeDirs(words); strings.Join(dirs, " ") != "inc q -c" {
		t.Errorf("%q", dirs)
	}
	commands := Preprocess(words, "/d/a.c", "/t/out")
	if len(commands) != 2 || strings.Join(commands[0], " ") != "/bin/gcc-12 -O2 -I inc -iquoteq -I -c /d/a.c -E -P -o /t/out" {
		t.Errorf("%q", commands)
	}
	for _, other := range []string{"mytool {}", "gcc -c -"} {
		if got := Preprocess(strings.Fields(other), "a", "b"); got != nil {
			t.Errorf("%s: %q", other, got)
		}
	}
}

func TestResolved(t *testing.T) {
	words := strings.Fields("gcc-12 -O2 -I inc -DN=3 -include a.h -isystem s -Uq -Wall -x c -c {}")
	if got := strings.Join(Resolved(words), " "); got != "gcc-12 -O2 -Wall -x c -c {}" {
		t.Error(got)
	}
	words = strings.Fields("env A=b gcc-12 -o out a.c -I inc b.c")
	if got := Operands(words); !slices.Equal(got, []int{5, 8}) {
		t.Error(got)
	}
	words = strings.Fields("mytool -D x")
	if got := Resolved(words); !slices.Equal(got, words) {
		t.Error(got)
	}
}
