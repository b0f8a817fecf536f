package valid_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/local"
	"whittle/internal/testkit/programs"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// compilers makes PATH a directory of scripts, with their input in $file.
func compilers(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for name, script := range scripts {
		version, script, _ := strings.Cut(script, ": ")
		text := "#!/bin/sh\nPATH=/usr/bin:/bin\ncase $* in *--version*) echo " + version + "; exit;; esac\n" +
			"for file; do :; done\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func findChecks(t *testing.T, file, command string) ([]valid.Check, func(candidate string) algo.Outcome) {
	t.Helper()
	executor := &local.Executor{Work: programs.Work(t)}
	in := valid.Input{File: []byte(file), Spec: oracle.Spec{Layout: oracle.Layout{Name: "small.c"}},
		Language: "c", Command: strings.Fields(command)}
	f := valid.Finder{Input: in, Programs: executor, Machine: new(tool.Machine)}
	checks, err := f.Accepted(t.Context(), f.Asked(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	row := chain.NewStages(nil, executor, valid.Stages(checks))
	return checks, func(candidate string) algo.Outcome {
		run, err := row.Run(t.Context(), in.Spec, []byte(candidate))
		if err != nil {
			t.Fatal(err)
		}
		return run.Outcome
	}
}

// The newest accepting compiler of each family becomes a check, the failing one only without
// others.
func TestFind(t *testing.T) {
	const rejects, crashes = "exit 1", "kill -ABRT $$"
	for _, c := range []struct {
		name      string
		compilers map[string]string
		command   string
		want      string
	}{
		{"the newest of each family", map[string]string{"gcc-12": "12.2: ", "gcc-11": "11.1: ", "gcc-9": "9.1: ",
			"clang-16": "16.0: ", "clang-14": "14.0: ", "tcc": "0.9: "}, "gcc-12 -c {}",
			"clang-16 -fsyntax-only, gcc-11 -fsyntax-only"},
		{"not one that rejects it, or crashes", map[string]string{"gcc-12": "12.2: ", "clang-16": "16.0: " + rejects,
			"clang-15": "15.0: " + crashes, "clang-14": "14.0: "}, "gcc-12 -c {}", "clang-14 -fsyntax-only"},
		{"the same if there is no other", map[string]string{"gcc-12": "12.2: ", "clang-16": "16.0: " + rejects},
			"timeout 10 gcc-12 -c {}", "gcc-12 -fsyntax-only"},
		{"not the same by another name", map[string]string{"g++-12": "12.2: ", "gcc-12": "12.2: ", "clang++-16": "16.0: "},
			"g++-12 -c {}", "clang++-16 -fsyntax-only"},
		{"none", map[string]string{"gcc-12": "12.2: " + crashes}, "gcc-12 -c {}", ""},
		{"of a script any will do", map[string]string{"gcc-12": "12.2: "}, "", "gcc-12 -fsyntax-only"},
	} {
		compilers(t, c.compilers)
		checks, _ := findChecks(t, "int x;", c.command)
		if got := chain.Names(valid.Stages(checks)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A compiler that leaves the file to the linker is no check.
func TestFindDialects(t *testing.T) {
	compilers(t, map[string]string{"gcc-12": "12.2: ", "clang-16": "16.0: "})
	for name, want := range map[string]string{"a.c": "clang-16, gcc-12", "a.cl": "clang-16", "a.frag": ""} {
		in := valid.Input{Spec: oracle.Spec{Layout: oracle.Layout{Name: name}}, Language: "c"}
		f := valid.Finder{Input: in, Machine: new(tool.Machine)}
		var programs []string
		for _, check := range f.Asked(t.Context()) {
			if p := check.Program.String(); !slices.Contains(programs, p) {
				programs = append(programs, p)
			}
		}
		if got := strings.Join(programs, ", "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A test that is interesting, whether the program in the file runs or not, needs no sanitizers. Of the names of a
// compiler, the one for the language checks the file.
func TestNothingRuns(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	script := "12.2: echo $0 >>" + log + "; exit 1"
	compilers(t, map[string]string{"gcc-12": script, "g++-12": script})
	in := valid.Input{File: []byte("int x;"), Spec: oracle.Spec{Layout: oracle.Layout{Name: "small.cc"}}, Language: "cpp"}
	executor := &local.Executor{Work: programs.Work(t)}
	spec := in.Spec
	spec.Argv, spec.Interesting.ExitCodes = []string{"/bin/true"}, []int{0}
	f := valid.Finder{Input: in, Single: true, Programs: executor, Machine: new(tool.Machine),
		Test: oracle.Test{Spec: spec, Executor: executor}}
	if _, err := f.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	calls, _ := os.ReadFile(log)
	if strings.Count(string(calls), "g++-12") != strings.Count(string(calls), "\n") || strings.Count(string(calls), "\n") > 2 {
		t.Errorf("called:\n%s", calls)
	}
}

func TestProgram(t *testing.T) {
	compilers(t, map[string]string{"gcc-12": "12.2: ", "g++-12": "12.2: ", "java": "17.0: ", "xmllint": "2.9: ",
		"mlir-opt": "16.0: ", "yosys": "0.23: ", "python3": "3.11: ", "ruby": "3.1: "})
	for _, c := range []struct{ command, language, program, want string }{
		{"gcc-12 -O2 {}", "c", "gcc-12", "c"},
		{"gcc-12 -O2 {}", "cpp", "gcc-12", "cpp"},
		{"g++-12 -O2 {}", "c", "g++-12", "cpp"},
		{"gcc-12 -O2 {}", "structure", "gcc-12", "c"},
		{"java -jar basex.jar {}", "xml", "", "xml"},
		{"timeout 3 xmllint {}", "xml", "xmllint", "xml"},
		{"./run.sh {}", "c", "", "c"},
		{"mlir-opt --cse {}", "mlir", "mlir-opt", "mlir"},
		{"yosys -p proc {}", "structure", "", "structure"},
		{"python3 read.py {}", "structure", "", "structure"},
		{"python3 -O {}", "structure", "python3", "python"},
		{"ruby -ryaml -e YAML.load_file(ARGV[0]) {}", "yaml", "", "yaml"},
	} {
		in := valid.Input{Language: c.language, Command: strings.Fields(c.command)}
		p, language := in.Program(t.Context(), new(tool.Machine))
		name := ""
		if p.Tool != nil {
			name = p.String()
		}
		if name != c.program || language != c.want || (name == "") != (p.Words == nil) {
			t.Errorf("%s of %s: %q with %q as %s, want %q as %s", c.command, c.language, name, p.Words, language, c.program, c.want)
		}
	}
}

// gcc compiles Ada, but does not check it as C.
func TestProgramOfAda(t *testing.T) {
	compilers(t, map[string]string{"gcc-12": "12.2: "})
	for name, want := range map[string]string{"a.adb": "structure", "a.F90": "structure", "a.txt": "c"} {
		in := valid.Input{Language: "structure", Command: strings.Fields("gcc-12 -c {}")}
		in.Spec.Layout.Name = name
		if _, language := in.Program(t.Context(), new(tool.Machine)); language != want {
			t.Errorf("%s is read as %s, want %s", name, language, want)
		}
	}
}

func TestArguments(t *testing.T) {
	compilers(t, map[string]string{"gcc-12": "12.2: ", "tcc": `0.9: echo "$*" >&2; [ "$*" = "-std=c99 -DX -c small.c" ]`})
	_, asked := findChecks(t, "", "gcc-12 -O2 -std=c99 -x c -DX -w -g -o out {}")
	if got := asked(""); got != algo.Interesting {
		t.Errorf("tcc got other arguments: %v", got)
	}
}

func TestWarnings(t *testing.T) {
	compilers(t, map[string]string{"gcc-12": "12.2: ", "clang-16": `16.0: code=0
while read -r line; do
	case $line in
	broken) echo "small.c:1:1: error: broken"; exit 1;;
	none*) ;;
	*)	how=
		case $* in *-Werror=$line*) how=error; show="-Werror,-W$line";; esac
		case $* in *-Wno-error=$line*) how=warning; show="-W$line";; esac
		case $how in '') continue;; error) code=1;; esac
		echo "small.c:1:1: $how: x [$show]";;
	esac
done <$file
exit $code`})
	checks, asked := findChecks(t, "format\nnone 1\nformat\nreturn-type\nunknown\n", "gcc-12 -c {}")
	if len(checks) != 1 || checks[0].String() != "clang-16 -fsyntax-only (except -Wformat, -Wreturn-type)" {
		t.Fatalf("the checks are %v", checks)
	}
	for candidate, want := range map[string]algo.Outcome{
		"format\nformat\nreturn-type\n": algo.Interesting,
		"format\n":                      algo.Interesting,
		"":                              algo.Interesting,
		"unknown\n":                     algo.Interesting,
		"format\nformat\nformat\n":      algo.Unresolved,
		"return-type\nreturn-type\n":    algo.Unresolved,
		"uninitialized\n":               algo.Unresolved,
		"broken\n":                      algo.Unresolved,
	} {
		if got := asked(candidate); got != want {
			t.Errorf("%q is %v, want %v", candidate, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	executor := &local.Executor{Work: programs.Work(t)}
	spec := oracle.Spec{Layout: oracle.Layout{Name: "a b.c"}}
	row := chain.NewStages(nil, executor, valid.Stages([]valid.Check{valid.Command("grep -q x {} && test -e {}")}))
	for candidate, want := range map[string]algo.Outcome{"x": algo.Interesting, "y": algo.Unresolved} {
		if run, err := row.Run(t.Context(), spec, []byte(candidate)); err != nil || run.Outcome != want {
			t.Errorf("%s: %v, %v, want %v", candidate, run, err, want)
		}
	}
}

// The version of gofmt is the version of go in the same directory.
func TestFits(t *testing.T) {
	const script = "#!/bin/sh\ncase $1 in version) echo go version goVERSION linux/amd64;; vet) exit 1;; esac\n"
	root := t.TempDir()
	put := func(path, text string) string {
		path = filepath.Join(root, path)
		if err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o777)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for dir, version := range map[string]string{"go-1.19/bin/": "1.19.8", "current/": "1.26.1"} {
		put(dir+"go", strings.ReplaceAll(script, "VERSION", version))
		put(dir+"gofmt", "#!/bin/sh\n")
	}
	put("old/go.mod", "module m\n\ngo 1.18\n")
	put("new/go.mod", "module m\n\ngo 1.21.3\n")
	newest, oldest := filepath.Join(root, "current"), filepath.Join(root, "go-1.19/bin")
	for _, c := range []struct{ path, command, project, want string }{
		{newest + ":" + oldest, newest + "/go test ./...", "none", newest + "/gofmt"},
		{newest + ":" + oldest, oldest + "/go test ./...", "none", newest + "/gofmt"},
		{oldest, newest + "/go test ./...", "none", ""},
		{oldest, "./test.sh", "old", oldest + "/gofmt"},
		{oldest, "./test.sh", "new", ""},
		{newest + ":" + oldest, "./test.sh", "new", newest + "/gofmt"},
	} {
		t.Setenv("PATH", c.path)
		in := valid.Input{File: []byte("package p\n"), Spec: oracle.Spec{Layout: oracle.Layout{Name: "small.go"}},
			Language: "go", Command: strings.Fields(c.command), Dirs: []string{filepath.Join(root, c.project), root}}
		var asked []valid.Check // of this test; the table also has directories that are not on PATH
		f := valid.Finder{Input: in, Programs: &local.Executor{Work: programs.Work(t)}, Machine: new(tool.Machine)}
		for _, g := range f.Asked(t.Context()) {
			if strings.HasPrefix(g.Argv[0], root) {
				asked = append(asked, g)
			}
		}
		checks, err := f.Accepted(t.Context(), asked)
		got := ""
		if len(checks) > 0 {
			got = checks[0].Argv[0]
		}
		if err != nil || got != c.want {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// A command in a project that names no file has no check of one file.
func TestProject(t *testing.T) {
	compilers(t, map[string]string{"gcc-12": "12.2: ", "clang-16": "16.0: "})
	several := oracle.Layout{Name: "p", Files: func([]byte) ([]oracle.File, error) { return nil, nil }}
	for _, c := range []struct {
		command string
		layout  oracle.Layout
		checked bool
	}{
		{"gcc-12 -c {}", oracle.Layout{Name: "small.c"}, true},
		{"gcc-12 -c {}", several, true},
		{"gcc-12 -c src/small.c", several, false},
	} {
		in := valid.Input{Language: "c", Command: strings.Fields(c.command), Spec: oracle.Spec{Layout: c.layout}}
		f := valid.Finder{Input: in, Machine: new(tool.Machine)}
		if checks := f.Asked(t.Context()); len(checks) > 0 != c.checked {
			t.Errorf("%s, several %t: %d checks", c.command, c.layout.Several(), len(checks))
		}
	}
}

// Arguments in a script that select the language are tried first.
func TestScripted(t *testing.T) {
	lib := "case $* in *--crate-type?lib*) exit 0; esac; exit 1"
	compilers(t, map[string]string{"rustc": "1.63.0: " + lib, "gcc-12": "12.2: case $* in *' -l '*) exit 1; esac"})
	script := filepath.Join(t.TempDir(), "test.sh")
	text := "#!/bin/sh\ntimeout 9 $RUSTC --crate-type lib -Awarnings \"$1\" >out 2>&1; grep -l crash out\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		language string
		argv     []string
		want     string
	}{
		{"rust", []string{script}, "rustc --emit=metadata -Awarnings --out-dir=."},
		{"rust", []string{"/bin/sh", script, "{}"}, "rustc --emit=metadata -Awarnings --out-dir=."},
		{"rust", []string{"/bin/sh", "-c", "rustc --crate-type=lib {} | cat"}, "rustc --emit=metadata -Awarnings --out-dir=."},
		{"rust", []string{"/bin/sh", "-c", "rustc {} | cat"}, ""},
		{"rust", []string{"/bin/sh", "-c", "A=--crate-type=lib; rustc $A {}"}, "rustc --emit=metadata -Awarnings --out-dir=."},
		{"c", []string{script}, "gcc-12 -fsyntax-only"},
	} {
		in := valid.Input{Spec: oracle.Spec{Argv: c.argv, Layout: oracle.Layout{Name: "small"}}, Language: c.language}
		f := valid.Finder{Input: in, Programs: &local.Executor{Work: programs.Work(t)}, Machine: new(tool.Machine)}
		checks, err := f.Accepted(t.Context(), f.Asked(t.Context()))
		if got := chain.Names(valid.Stages(checks)); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.argv, got, err, c.want)
		}
	}
}
