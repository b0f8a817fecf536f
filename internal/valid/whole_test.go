package valid_test

import (
	"os"
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

func TestWhole(t *testing.T) {
	const crashes, rejects = "kill -ABRT $$", "exit 1"
	for _, c := range []struct {
		name      string
		compilers map[string]string
		command   string
		want      string
	}{
		{"the nearest on either side", map[string]string{"gcc-9": "9.1: ", "gcc-11": "11.1: ", "gcc-12": "12.2: ",
			"gcc-13": "13.1: ", "gcc-14": "14.1: ", "clang-16": "16.0: "}, "gcc-12 -O2 -c {}",
			"gcc-13 -O2 -c, gcc-11 -O2 -c"},
		{"not one that fails on the input", map[string]string{"gcc-9": "9.1: ", "gcc-11": "11.1: " + rejects,
			"gcc-12": "12.2: ", "gcc-13": "13.1: " + crashes}, "gcc-12 -O2 -c {}", "gcc-9 -O2 -c"},
		{"another compiler if there is no other version", map[string]string{"gcc-12": "12.2: ", "clang-16": "16.0: ",
			"tcc": "0.9: "}, "/usr/bin/timeout 9 gcc-12 -O2 -S {}", "clang-16 -O2 -S"},
		{"nothing is linked", map[string]string{"gcc-12": "12.2: ", "gcc-11": "11.1: "}, "gcc-12 {}", "gcc-11 -c"},
		{"of a program that is not known", map[string]string{"gcc-12": "12.2: "}, "./run {}", ""},
	} {
		compilers(t, c.compilers)
		checks := whole(t, "int x;", c.command)
		if got := chain.Names(valid.Stages(checks)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func whole(t *testing.T, file, command string) []valid.Check {
	t.Helper()
	in := valid.Input{File: []byte(file), Spec: oracle.Spec{Layout: oracle.Layout{Name: "small.c"}},
		Language: "c", Command: strings.Fields(command)}
	f := valid.Finder{Input: in, Programs: &local.Executor{Work: programs.Work(t)}, Machine: new(tool.Machine)}
	checks, err := f.Accepted(t.Context(), f.Whole(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return checks
}

// A compiler must compile the result with the same arguments that it knows. Warnings may stay.
func TestWholeArguments(t *testing.T) {
	compilers(t, map[string]string{"clang-14": "14.0: ", "clang-16": `16.0: 
case $* in *-fodd*) echo "error: unknown argument: '-fodd'"; exit 1;; esac
case $* in *-O3*) ;; *) exit 0;; esac
grep -q general $file && kill -SEGV $$
case $* in *-Wno-error=implicit-int*) exit 0;; esac
grep -q implicit $file && echo "small.c:1:1: error: x [-Wimplicit-int]" && exit 1
exit 0`})
	checks := whole(t, "implicit\n", "clang-14 -O3 -fodd -c {}")
	if got := valid.Names(checks); got != "clang-16 -O3 -fodd -c" {
		t.Fatalf("the checks are %s", got)
	}
	row := chain.NewStages(nil, &local.Executor{Work: programs.Work(t)}, valid.Stages(checks))
	spec := oracle.Spec{Layout: oracle.Layout{Name: "small.c"}}
	for candidate, want := range map[string]algo.Outcome{
		"": algo.Interesting, "implicit\nimplicit\n": algo.Interesting, "general\n": algo.Unresolved,
	} {
		if run, err := row.Run(t.Context(), spec, []byte(candidate)); err != nil || run.Outcome != want {
			t.Errorf("%q: %+v, %v, want %v", candidate, run, err, want)
		}
	}
}

func TestSanitized(t *testing.T) {
	const cc = `out=; file=
set -- $*
while [ $# -gt 0 ]; do case $1 in -o) out=$2; shift;; *.c) file=$1;; esac; shift; done
grep -q main $file || exit 1
{ echo '#!/bin/sh'; sed 's/^main//' $file; } >$out; chmod +x $out`
	compilers(t, map[string]string{"gcc-12": "12.2: " + cc, "gcc-11": "11.2: " + cc})
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
	m, executor := new(tool.Machine), &local.Executor{Work: programs.Work(t)}
	const report = "main exit ${UBSAN_OPTIONS#*exitcode=}"
	for _, c := range []struct {
		input    string
		checks   int
		accepted map[string]bool
	}{
		{"main exit 0", 1, map[string]bool{"main": true, "main exit 1": false, report: false, "int x": false}},
		{"main exit 3", 1, map[string]bool{"main exit 4": true, "main": false, report: false, "main kill -SEGV $$": false}},
		{report, 0, nil},
		{"main kill -SEGV $$", 0, nil},
		{"int x;", 0, nil},
	} {
		in := valid.Input{File: []byte(c.input), Language: "c", Spec: oracle.Spec{Layout: oracle.Layout{Name: "small.c"}}}
		var gcc []valid.Check // clang may be on PATH
		f := valid.Finder{Input: in, Programs: executor, Machine: m}
		for _, g := range f.Sanitized(t.Context()) {
			if g.Group == "gcc" {
				gcc = append(gcc, g)
			}
		}
		checks, err := f.Accepted(t.Context(), gcc)
		if err != nil || len(checks) != c.checks {
			t.Fatalf("%s: %v, %v", c.input, checks, err)
		}
		row := chain.NewStages(nil, executor, valid.Stages(checks))
		for candidate, want := range c.accepted {
			run, err := row.Run(t.Context(), in.Spec, []byte(candidate))
			if err != nil || (run.Outcome == algo.Interesting) != want {
				t.Errorf("%s: %q is %v, %v", c.input, candidate, run.Outcome, err)
			}
		}
	}
}
