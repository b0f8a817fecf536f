package valid_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/failure"
	"whittle/internal/local"
	"whittle/internal/testkit/programs"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// With -O2, compiler replaces good by bad. Its sanitizers end programs that contain "undefined"; "broken" does not
// compile. With sanitizers, good becomes other where the file contains "unordered".
const compiler = `#!/bin/sh
PATH=/usr/bin:/bin
case $* in *--version*) echo VERSION; exit;; esac
name=NAME; all=$*
while [ $# -gt 0 ]; do case $1 in -o) out=$2; shift;; -*) ;; *) file=$1;; esac; shift; done
grep -q broken "$file" && exit 1
grep -q "not for $name" "$file" && exit 1
case $all in *-fsyntax-only*) exit 0;; esac
{ echo '#!/bin/sh'; cat "$file"; } >"$out"
chmod +x "$out"
case $all in *-O2*) sed -i s/good/bad/ "$out";; esac
case $all in *-fsanitize*) grep -q undefined "$file" && echo 'r=${UBSAN_OPTIONS:-=9}; exit ${r##*=}' >"$out";; esac
case $all in *-fsanitize*) grep -q unordered "$file" && sed -i s/good/other/ "$out";; esac
case $all in *-DX*) ;; *) grep -q 'needs X' "$file" && echo 'exit 8' >"$out";; esac
exit 0
`

func machine(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, name := range names {
		_, version, _ := strings.Cut(name, "-")
		text := strings.NewReplacer("VERSION", name+" "+version+".1.0", "NAME", name).Replace(compiler)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func find(t *testing.T, test valid.DiffTest, input string) (
	*valid.DiffStages, func(candidate string) (algo.Outcome, string), error) {
	t.Helper()
	executor := &local.Executor{Work: programs.Work(t)}
	in := valid.Input{File: []byte(input), Spec: oracle.Spec{Layout: oracle.Layout{Name: "a b.c"}},
		Language: "c", Command: strings.Fields(test[0]), Right: true}
	f := valid.Finder{Input: in, Programs: executor, Machine: new(tool.Machine), Differs: &test}
	found, err := f.FindSides(t.Context())
	if err != nil {
		return nil, nil, err
	}
	row := chain.NewStages(nil, executor, append(found.Sides(), found.Checks()...))
	return found, func(candidate string) (algo.Outcome, string) {
		run, err := row.Run(t.Context(), in.Spec, []byte(candidate))
		if err != nil {
			t.Fatal(err)
		}
		return run.Outcome, run.Reply
	}, nil
}

func asScript(t *testing.T, found *valid.DiffStages, candidate string) bool {
	t.Helper()
	var script strings.Builder
	script.WriteString("PATH=$PATH:/usr/bin:/bin\n")
	sides, checks := found.Shell("a b.c")
	for _, part := range append(sides, checks...) {
		fmt.Fprintf(&script, "# %s\n%s", part.About, part.Lines)
	}
	executor := &local.Executor{Work: programs.Work(t)}
	run, err := executor.Run(t.Context(), oracle.Spec{Argv: []string{"/bin/sh", "-c", script.String()},
		Layout: oracle.Layout{Name: "a b.c"}}, []byte(candidate))
	if err != nil {
		t.Fatal(err)
	}
	return run.ExitCode == 0
}

func TestCompilers(t *testing.T) {
	machine(t, "gcc-12", "gcc-11", "gcc-9", "clang-16", "clang-14", "clang-13")
	found, ask, err := find(t, valid.DiffTest{"gcc-12 -O0 -DX {}", "gcc-12 -O2 -DX {}"}, "echo good; echo not for clang-16; : needs X")
	if err != nil {
		t.Fatal(err)
	}
	const want = "clang-14, gcc-11, clang-14 -fsanitize=undefined,address -fno-sanitize-recover=all, " +
		"gcc-12 -fsanitize=undefined,address -fno-sanitize-recover=all"
	if got := chain.Names(found.Checks()); got != want || found.Notes != nil {
		t.Errorf("the checks are %s, and notes %q; want %s", got, found.Notes, want)
	}
	const yes, no = algo.Interesting, algo.Uninteresting
	for _, c := range []struct {
		candidate string
		outcome   algo.Outcome
		by        string
	}{
		{"echo good", yes, ""},
		{"echo 1; echo good", yes, ""},
		{"printf good", yes, ""},
		{"echo other", no, "gcc-12 -O2 -DX {}"},
		{"", no, "gcc-12 -O2 -DX {}"},
		{"broken; echo good", no, "gcc-12 -O0 -DX {}"},
		{"echo good; exit 1", no, "gcc-12 -O0 -DX {}"}, // the input exits with 0
		{"echo good; kill -SEGV $$", no, "gcc-12 -O0 -DX {}"},
		{"[ good = good ]", no, "gcc-12 -O2 -DX {}"}, // one side only
		{"echo good; : undefined", no, "clang-14 -fsanitize=undefined,address -fno-sanitize-recover=all"},
		{"echo good; : not for gcc-11", no, "gcc-11"},
	} {
		outcome, by := ask(c.candidate)
		if got := asScript(t, found, c.candidate); got != (outcome == yes) {
			t.Errorf("%s: as a script %v, else %v by %q", c.candidate, got, outcome, by)
		}
		if by = strings.TrimPrefix(by, "refused by: "); outcome != c.outcome || by != c.by {
			t.Errorf("%s: %v by %q, want %v by %q", c.candidate, outcome, by, c.outcome, c.by)
		}
	}
}

// Undefined behavior in the input is noted, and no check decides which side is right. So is a result that differs
// without a report of the sanitizer.
func TestUndefined(t *testing.T) {
	machine(t, "gcc-12")
	for input, want := range map[string]string{"undefined": "has undefined behavior", "unordered": "reports nothing"} {
		found, _, err := find(t, valid.DiffTest{"gcc-12 {}", "gcc-12 -O2 {}"}, "echo good; : "+input)
		if err != nil || len(found.Checks()) != 0 || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], want) {
			t.Errorf("%s: %+v, %v", input, found, err)
		}
	}
}

func TestPrinted(t *testing.T) {
	for _, c := range []struct {
		test             valid.DiffTest
		input, candidate string
		want             algo.Outcome
	}{
		{valid.DiffTest{"sort {}", "cat {}"}, "2\n1\n", "b\na\n", algo.Interesting},
		{valid.DiffTest{"sort {}", "cat {}"}, "2\n1\n", "1\n2\n", algo.Uninteresting},
		{valid.DiffTest{"head -n 1 {}", "tail -n 1 {}"}, "sat\nunsat\n", "sat\n7\nunsat\n", algo.Interesting},
		{valid.DiffTest{"head -n 1 {}", "tail -n 1 {}"}, "sat\nunsat\n", "sat\nerror\n", algo.Uninteresting},
		{valid.DiffTest{"sort {}", "cat {}; echo"}, "2\n1\n", "1\n2\n", algo.Uninteresting}, // except for a blank line
		{valid.DiffTest{"grep x {}", "cat <{} | grep y"}, "x\ny\n", "x\nz\ny\n", algo.Interesting},
		{valid.DiffTest{"grep x {}", "cat <{} | grep y"}, "x1\ny2\n", "x1\nz\n", algo.Uninteresting}, // another exit code
	} {
		found, ask, err := find(t, c.test, c.input)
		if err != nil {
			t.Errorf("%v of %q: %v", c.test, c.input, err)
			continue
		}
		outcome, by := ask(c.candidate)
		if script := asScript(t, found, c.candidate); outcome != c.want || script != (outcome == algo.Interesting) {
			t.Errorf("%v: %q is %v %s, want %v; as a script %v", c.test, c.candidate, outcome, by, c.want, script)
		}
	}
}

func TestSame(t *testing.T) {
	machine(t, "gcc-12")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
	for _, c := range []struct {
		test        valid.DiffTest
		input, want string
	}{
		{valid.DiffTest{"gcc-12 {}", "gcc-12 -O2 {}"}, "echo x; exit 3", "give the same result on the input:\n  x\n  exit code 3"},
		{valid.DiffTest{"gcc-12 {}", "printf x; exit 3"}, "echo; echo x; echo; exit 3", "give the same result"},
		{valid.DiffTest{"gcc-12 {}", "gcc-12 -O2 {}"}, "broken", "gcc-12 {}: it failed to build"},
		{valid.DiffTest{"cat {}", "cat /proc/self/stat {}"}, "x", "its result differs between two runs"},
	} {
		_, _, err := find(t, c.test, c.input)
		if same := (*failure.UnfitError)(nil); !errors.As(err, &same) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.test, err, c.want)
		}
	}
}

func TestArgv(t *testing.T) {
	machine(t, "gcc-12")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
	executor := &local.Executor{Work: programs.Work(t)}
	test := valid.DiffTest{"gcc-12 {}", "gcc-12 -O2 {}"}
	for candidate, want := range map[string]int{"echo good": 0, "echo x": 1, "broken good": 1, "": 1} {
		spec := oracle.Spec{Argv: test.Argv(), Layout: oracle.Layout{Name: "a b.c"}}
		if run, err := executor.Run(t.Context(), spec, []byte(candidate)); err != nil || run.ExitCode != want {
			t.Errorf("%q: %+v, %v, want %d", candidate, run, err, want)
		}
	}
	if got, want := test.String(), "--differs 'gcc-12 {}' 'gcc-12 -O2 {}'"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
