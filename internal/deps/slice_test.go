package deps

import (
	"fmt"
	"strings"
	"testing"

	"whittle/parse"
	"whittle/pass"
)

func TestSlice(t *testing.T) {
	for _, x := range []struct{ name, language, source, clue, hollow, full string }{
		{"statements", "c", "int a(int x) { return x; }\nint b(void) { int u = a(1); return u; }\nint c(void) {\n  int v = 1;\n  int w = 2;\n  b();\n  crash(v);\n}\n",
			"@x.c:7:3",
			"int c(void) {\n  int v = 1;\n  crash(v);\n}\n",
			"int c(void) {\n  int v = 1;\n  crash(v);\n}\n"},
		{"functions that are called", "c", "int a(int x) { return x; }\nint b(void) { int u = a(1); return u; }\nint c(void) {\n  b();\n}\n",
			"@x.c:4:3",
			"int b(void) { }\nint c(void) {\n  b();\n}\n",
			"int a(int x) { return x; }\nint b(void) { int u = a(1); return u; }\nint c(void) {\n  b();\n}\n"},
		{"nested", "c", "int f(int x) {\n  g();\n  if (x) {\n    h();\n    crash();\n  }\n}\n",
			"@x.c:5:5", "int f(int x) {\n  if (x) {\n    crash();\n  }\n}\n", "int f(int x) {\n  if (x) {\n    crash();\n  }\n}\n"},
		{"named", "c", "int f(void) { return 1; }\nint g(void) { return f(); }\n", "@- f", "int f(void) { return 1; }\n", "int f(void) { return 1; }\n"},
		{"members", "cpp", "struct S { int a; int b; S(int); int m() { return b; } };\nint f(S s) {\n  return s.a;\n}\n", "@x.cc:3:3",
			"struct S { int a; };\nint f(S s) {\n  return s.a;\n}\n",
			"struct S { int a; S(int); };\nint f(S s) {\n  return s.a;\n}\n"},
		{"go", "go", "package p\n\nfunc f() {\n\tg()\n\tcrash()\n}\n\nfunc g() {\n}\n", "@x.go:5:2",
			"package p\n\nfunc f() {\n\tcrash()}", "package p\n\nfunc f() {\n\tcrash()}"},
		{"attributes", "rust", "mod m {\n#[derive(Debug)]\nstruct A { x: u8 }\nfn f() {\n    crash();\n}\n}\n", "@x.rs:5",
			"mod m {\nfn f() {\n    crash();\n}\n}\n", ""}, // the second keeps #[derive]
		{"python", "python", "def a(x):\n    return 1\n\ndef b():\n    u = 2\n    v = a(1)\n    crash(u)\n", "@x.py:7",
			"def b():\n    u = 2\n    crash(u)\n", "def b():\n    u = 2\n    crash(u)\n"},
	} {
		h := &explorer{read(parse.Whole(parsed(t, x.language, x.source))), pass.Gate{}, pass.Plan{Clues: []string{x.clue}}}
		places := h.clued(h.base)
		for i, want := range []string{x.hollow, x.full} {
			got := string(h.newSlice(h.base, places, i == 0).edit(nil, nil).Render())
			if want != "" && strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s:\n%s\nwant\n%s", x.name, got, want)
			}
		}
	}
}

// A large file with a clue takes few tests: a slice that lacks something is repaired, and one that lacks the caller is
// widened. Without a clue it takes many more.
func TestSliceIsRepaired(t *testing.T) {
	for _, n := range []int{200, 800} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "int f%d(int x)\n{\nint y = 0;\nreturn y + f%d(x) + f%d(x);\n}\n", i, i/2, max(i-7, 0))
		}
		tree := parsed(t, "c", b.String())
		line := 5*(n/2) + 4
		ask := func(c *parse.Candidate) (interesting bool, reasons []string) {
			file := string(c.Render())
			at := strings.Index(file, fmt.Sprintf("int f%d(", n/2))
			switch {
			case at < 0:
				return false, nil
			case !strings.Contains(file[at:], "return y + "):
				return false, []string{fmt.Sprintf("a.c:%d:1", 3+strings.Count(file[:at], "\n"))}
			case !strings.Contains(file, "int f3("):
				return false, []string{"- f3"}
			}
			return strings.Contains(file, fmt.Sprintf("int f%d(", n/2+7)), nil // the caller
		}
		least := 0
		for _, clues := range [][]string{nil, {fmt.Sprintf("@a.c:%d:1", line)}} {
			asked := 0
			for s := Definitions().Search(tree, pass.Gate{}, pass.Plan{Clues: clues}); !s.Ended(); {
				yes, reasons := ask(s.Candidate)
				if asked++; yes && s.Candidate.Weight() < 400 {
					break
				}
				s = answer(s, yes, reasons)
			}
			if clues == nil {
				least = asked
			} else if asked > 6 || asked*3 > least {
				t.Errorf("%d functions: %d tests until 400 tokens, %d without a clue", n, asked, least)
			}
		}
	}
}
