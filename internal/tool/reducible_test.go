package tool

import (
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/oracle"
	"whittle/parse"
	"whittle/parse/archive"
)

// The units of a group are in parentheses.
func TestRead(t *testing.T) {
	for _, c := range []struct{ command, units string }{
		{"gcc-12 -w -O2 -c {}", "(-w) (-O2)"},
		{"x86_64-linux-gnu-gcc-12 -O2 -o x.o -c {} -g", "(-O2) (-g)"},
		{"gcc --param max-x=1 -x c -I dir {} b.c", "(--param max-x=1) (-x c) (-I dir) (b.c)"},
		{"clang -Xclang -disable-llvm-passes -mllvm -x=1 -include a.h -c {}",
			"(-Xclang -disable-llvm-passes) (-mllvm -x=1) (-include a.h)"},
		{"clang++-16 -include {} -O3 -c b.cc", "(-O3) (b.cc)"},
		{"timeout -k 1 10 env -u X A=1 nice -n 5 gcc -O2 -c {}", "(-O2)"},
		{"go tool compile -p main -l -N {}", "(-l) (-N)"},
		{"go vet -x {}", "(-x)"},
		{"java -cp x Main -a b {}", "(-a | b)"},
		{"java -jar x.jar -a {}", "(-a)"},
		{"python3.11 -m mod -a {}", "(-a)"},
		{"python3 -O script.py --x {}", "(--x)"},
		{"sh -c 'x {}' y {}", ""},
		{"bash -x script.sh -v {}", ""},
		{"mytool sub -a b c -d {} e --in={} -o out", "(-a | b | c) (-d) (e)"},
		{"mytool -f {} -k a --config c -v {}", "(-k | a) (--config | c) (-v)"},
		{"mytool -v - -x", "(-v) (-x)"},
		{"mytool -v", "(-v)"},
		{"mytool {}", ""},
		{"mytool a b", ""},
		{"env", ""},
		{"gcc -include", "(-include)"},
	} {
		command := NewReducible(strings.Fields(c.command))
		text := ""
		for _, u := range command.units {
			words := strings.Join(u.text, " ")
			if u.parent >= 0 {
				text += " | " + words
				continue
			}
			if text != "" {
				text += ") "
			}
			text += "(" + words
		}
		if text != "" {
			text += ")"
		}
		if text != c.units {
			t.Errorf("%s: %s, want %s", c.command, text, c.units)
		}
	}
}

var ofC = grammars.ForFile("x.c")

func list(command string) *Arguments {
	return NewArguments(NewReducible(strings.Fields(command)), []byte("int a;\nint b;\n"), grammars.ForFile("x.c"), nil)
}

func called(t *testing.T, l *Arguments, archive []byte) (string, string) {
	t.Helper()
	v, ok := l.Open(archive)
	if !ok {
		return "", ""
	}
	return v.Shell("x.c"), string(v.File)
}

func TestList(t *testing.T) {
	l := list("mytool -a 'x,y%' z -b {} c -o out")
	tree, err := l.Parse(l.Archive())
	if err != nil || tree.Errors != 0 {
		t.Fatalf("%v, %d errors", err, tree.Errors)
	}
	whole := parse.Whole(tree)
	v, _ := l.Open(whole.Render())
	if v.Free != 5 || whole.Weight() != 6+v.Free+l.Heads() {
		t.Errorf("%d optional words, total weight %d", v.Free, whole.Weight())
	}
	line := tree.Root(tree.Parts[1])
	groups := whole.Items(line)
	texts := []string{}
	try := func(c *parse.Candidate) {
		if !c.Coherent() || l.Errors(c.Render()) > 0 {
			texts = append(texts, "no")
			return
		}
		command, file := called(t, l, c.Render())
		texts = append(texts, command+": "+strings.TrimSpace(file))
	}
	try(whole)
	for _, g := range groups {
		try(whole.Drop(g))
	}
	try(whole.Drop(groups...))
	for _, word := range whole.Items(groups[0]) {
		try(whole.Drop(word))
	}
	try(whole.Drop(tree.Parts[0].Node))
	try(whole.Drop(tree.Parts[1].Node))
	try(whole.Drop(line))
	try(whole.Drop(line + 1)) // its head
	try(whole.Drop(tree.Root(tree.Parts[0])))
	const a = `mytool -a ''\''x,y%'\''' z`
	want := []string{
		a + " -b x.c c -o out: int a;\nint b;", "mytool -b x.c c -o out: int a;\nint b;",
		a + " x.c c -o out: int a;\nint b;", a + " -b x.c -o out: int a;\nint b;", "mytool x.c -o out: int a;\nint b;",
		"mytool -a z -b x.c c -o out: int a;\nint b;", `mytool -a ''\''x,y%'\''' -b x.c c -o out: ` + "int a;\nint b;",
		"no", "no", "no", "no", a + " -b x.c c -o out: ",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("%q,\nwant %q", texts, want)
	}
}

func TestListOfSeveral(t *testing.T) {
	c := grammars.ForFile("x.c")
	set := archive.New([]archive.Entry{{Path: "a.c", Content: []byte("int a;\n"), Language: c},
		{Path: "b.c", Content: []byte("int b;\n"), Language: c}})
	l := NewArguments(NewReducible(strings.Fields("gcc -O2 -c {}")), set.Archive(), nil, set)
	tree, err := l.Parse(l.Archive())
	if err != nil {
		t.Fatal(err)
	}
	whole := parse.Whole(tree)
	v, ok := l.Open(whole.Drop(tree.Parts[0].Node).Render())
	entries, err := set.Entries(v.File)
	if !ok || err != nil || len(entries) != 1 || entries[0].Path != "b.c" || v.Shell("a.c") != "gcc -O2 -c a.c" {
		t.Errorf("%v, %v, %s", entries, err, v.Shell("a.c"))
	}
	if whole.Weight() != parse.Whole(parsed(t, set)).Weight()+v.Free+l.Heads() {
		t.Errorf("%d", whole.Weight())
	}
	if whole.Drop(tree.Parts[2].Node).Coherent() {
		t.Error("the line of arguments can be deleted")
	}
}

func parsed(t *testing.T, set *archive.Set) *parse.Tree {
	t.Helper()
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Added words come after the last option or in the environment.
func TestAdded(t *testing.T) {
	l := list("gcc -O2 -c {} b.c")
	v, _ := l.Open(l.Archive())
	v.Added = []string{"-O0", "A=b c"}
	w, ok := l.Open(l.Close(v))
	spec := w.Spec(oracle.Spec{Argv: []string{"/bin/gcc", "-O2", "-c", "{}", "/abs/b.c"}, Env: []string{"X=1"}})
	if !ok || !slices.Equal(spec.Argv, []string{"/bin/gcc", "-O2", "-c", "-O0", "{}", "/abs/b.c"}) ||
		!slices.Equal(spec.Env, []string{"X=1", "A=b c"}) || w.Shell("x.c") != "A='b c' gcc -O2 -c -O0 x.c b.c" {
		t.Errorf("%v, %q, %q, %s", ok, spec.Argv, spec.Env, w.Shell("x.c"))
	}
}

// A name that the program would take from the file is given by an option if the file's stem is no name.
func TestShellNames(t *testing.T) {
	for _, x := range [][3]string{
		{"rustc --edition 2021 {}", "d/slab.reduced.rs", "rustc --edition 2021 --crate-name=slab d/slab.reduced.rs"},
		{"rustc {}", "slab.rs", "rustc slab.rs"},
		{"rustc --crate-name x {}", "slab.reduced.rs", "rustc --crate-name x slab.reduced.rs"},
		{"rustc -", "slab.reduced.rs", "rustc -"},
		{"gcc -c {}", "a.reduced.c", "gcc -c a.reduced.c"},
	} {
		l := list(x[0])
		if v, _ := l.Open(l.Archive()); v.Shell(x[1]) != x[2] {
			t.Errorf("%s: %s, want %s", x[0], v.Shell(x[1]), x[2])
		}
	}
}

func TestErrors(t *testing.T) {
	c := NewReducible(strings.Fields("gcc -O2 -x c -c {}"))
	for text, want := range map[string]int{
		"= 0:-O2 1:-x,c": 0, "=": 0, "=-g0": 0, "": 1, "0:-O2": 1, "= 1:-x,c 0:-O2": 1, "= 0:-O2 0:-O2": 1,
		"= 2:-w": 1, "= 1:-x": 1, "= x": 1, "= 0:%zz": 1, "= 0": 1, "= -1:a": 1,
	} {
		if got := c.Errors([]byte(text)); got != want {
			t.Errorf("%q has %d errors, want %d", text, got, want)
		}
		if tree, err := c.Parse([]byte(text)); err != nil || tree.Errors != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWithoutOutput(t *testing.T) {
	for command, want := range map[string]string{
		"gcc -O2 -c {} -o /abs/out.o":          "gcc -O2 -c {}",
		"timeout -k 1 9 clang-16 -o a.o -c {}": "timeout -k 1 9 clang-16 -c {}",
		"gcc -MD -MF /abs/a.d -o /dev/null {}": "gcc -MD -o /dev/null {}",
		"clang -S -o - {}":                     "clang -S -o - {}",
		"rustc --out-dir=/abs/target {}":       "rustc {}",
		"mytool -o /abs/out {}":                "mytool -o /abs/out {}",
		"gcc {} -o":                            "gcc {} -o",
		"gcc {} -o {}.o":                       "gcc {} -o {}.o",
		"go tool compile -p p -o /abs/p.a {}":  "go tool compile -p p {}",
		"javac -d /abs/classes -nowarn {}":     "javac -nowarn {}",
	} {
		if got := strings.Join(WithoutOutput(strings.Fields(command)), " "); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

func TestLocal(t *testing.T) {
	for command, want := range map[string]string{
		"gcc -c {} -o /abs/out.o":                  "gcc -c {} -o out.o",
		"gcc -o/abs/out.o -MF /abs/x.d -c {}":      "gcc -oout.o -MF x.d -c {}",
		"gcc -o build/out.o -c {}":                 "gcc -o out.o -c {}",
		"gcc -o src/out.o -c {}":                   "gcc -o src/out.o -c {}",
		"gcc -o ../out.o -c {}":                    "gcc -o out.o -c {}",
		"gcc -o /dev/null -c {}":                   "gcc -o /dev/null -c {}",
		"gcc -o {}.o -c {}":                        "gcc -o {}.o -c {}",
		"gcc -I /abs -o out.o -c {}":               "gcc -I /abs -o out.o -c {}",
		"rustc --out-dir /abs {}":                  "rustc --out-dir . {}",
		"rustc --out-dir=/abs {}":                  "rustc --out-dir=. {}",
		"javac -d /abs/classes {}":                 "javac -d . {}",
		"timeout 5 clang-16 -c {} --output=/abs/o": "timeout 5 clang-16 -c {} --output=o",
		"mytool --output=/abs/out --in /abs/in {}": "mytool --output=out --in /abs/in {}",
	} {
		got, moved := LocalOutputs(strings.Fields(command), func(path string) bool { return strings.HasPrefix(path, "src/") })
		if strings.Join(got, " ") != want || (len(moved) > 0) != (command != want) {
			t.Errorf("%s: %s, want %s; moved %q", command, strings.Join(got, " "), want, moved)
		}
	}
}

// Options that prevent damage or work are kept if the tool is unknown.
func TestCareful(t *testing.T) {
	for command, want := range map[string]int{
		"./deploy --dry-run=client -n --no-push --color {}": 1,
		"nginx -t -p . -c {}":                               3,
		"gcc -fsyntax-only {}":                              1,
	} {
		if got := free(NewReducible(strings.Fields(command))); got != want {
			t.Errorf("%s: %d words may go, want %d", command, got, want)
		}
	}
}

func TestAbsolute(t *testing.T) {
	find := func(path string) string {
		if slices.Contains(strings.Fields("inc build ./d tool x.h rules a.o ../up.h ./gcc list.txt a.jar b.jar sub c"), path) {
			return "/abs/" + path
		}
		return ""
	}
	for command, want := range map[string]string{
		"gcc -I inc -Iinc -isysteminc -include x.h -x c -o a.o -c {} rules": "gcc -I /abs/inc -I/abs/inc -isystem/abs/inc " +
			"-include /abs/x.h -x c -o a.o -c {} rules",
		"timeout 5 ./gcc @list.txt --specs=rules -MF a.o -c {}": "timeout 5 /abs/./gcc @/abs/list.txt --specs=/abs/rules " +
			"-MF a.o -c {}",
		"gcc -c ../up.h -o ../up.h":          "gcc -c /abs/../up.h -o ../up.h",
		"go tool compile -I build {}":        "go tool compile -I /abs/build {}",
		"mytool build {} build ./d list.txt": "mytool build {} build /abs/./d /abs/list.txt",
		"mytool sub -f rules -C build {}":    "mytool sub -f rules -C build {}",
		"mytool --output=a.o --in=rules {}":  "mytool --output=a.o --in=/abs/rules {}",
		"java -cp a.jar:b.jar Main {}":       "java -cp /abs/a.jar:/abs/b.jar Main {}",
		"java -cp a.jar:none Main ../up.h":   "java -cp a.jar:none Main /abs/../up.h",
		"mytool @list.txt -Iinc {}":          "mytool @/abs/list.txt -I/abs/inc {}",
		"xmllint --relaxng rules --noout {}": "xmllint --relaxng /abs/rules --noout {}",
	} {
		if got := strings.Join(AbsoluteWords(strings.Fields(command), find), " "); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	for script, want := range map[string]string{
		"cat list.txt | ./d <c >a.o; ./a.o": "cat /abs/list.txt | /abs/./d </abs/c >a.o; ./a.o",
		"gcc {} -o ./gcc && ./gcc ../up.h":  "gcc {} -o ./gcc && ./gcc /abs/../up.h",
		`./d "list.txt" "$x/rules" {}`:      `/abs/./d /abs/list.txt "$x/rules" {}`,
		"cat list.txt (":                    "cat list.txt (",
	} {
		if got := AbsoluteWords([]string{"timeout", "5", "sh", "-ec", script}, find); got[4] != want {
			t.Errorf("%s: %s, want %s", script, got[4], want)
		}
	}
	named := NameInput(strings.Fields("gcc -c x.c --in=x.c y.c"), func(path string) bool { return path == "x.c" })
	if got := strings.Join(named, " "); got != "gcc -c {} --in={} y.c" {
		t.Error(got)
	}
}

func TestNameInScript(t *testing.T) {
	named := NameInput([]string{"bash", "-c", "gcc x.c -o x; ./x < 'x.c'"}, func(path string) bool { return path == "x.c" })
	if got := named[2]; got != "gcc {} -o x; ./x < {}" {
		t.Error(got)
	}
}

func free(c *Reducible) int {
	v, _ := c.read(c.whole().line())
	return v.Free
}
