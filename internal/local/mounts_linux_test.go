package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

func TestMain(m *testing.M) {
	if sandbox.IsHelper(os.Args) {
		sandbox.Serve()
		return
	}
	os.Exit(m.Run())
}

// namespaces returns a sandbox with overlays, or nil.
func namespaces(t *testing.T, work string) *sandbox.Sandbox {
	s := sandbox.NewStarter(func(start func() (int, error)) error {
		_, err := start()
		return err
	}, work, 16<<20)
	t.Cleanup(s.Close)
	if level, err := s.Level(sandbox.Policy{}); err != nil || !level.Namespaces {
		t.Logf("the kernel offers %v, %v", level, err)
		return nil
	}
	return &sandbox.Sandbox{Starter: s}
}

// Files outside of candidates are whole in each test, do not change, and do not count as written, with overlays and
// with copies. Candidates have their own files of a package.
func TestOutside(t *testing.T) {
	project, err := os.MkdirTemp("/var/tmp", "whittle-test-") // the sandbox hides /dev/shm
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(project) })
	for i, overlays := range []bool{true, false} {
		root, work := filepath.Join(project, fmt.Sprintf("%d:b,c", i)), t.TempDir()
		os.Mkdir(root, 0o755)
		err := oracle.WriteFiles(root, []oracle.File{file("deps/a/1", string(make([]byte, 1<<20))), file("deps/b/2", "2"),
			file("deps/c", "c"), file("env", "e")})
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(project, "outer"), []byte("o"), 0o644)
		os.Mkdir(filepath.Join(root, "deps/@s"), 0o755)
		os.Symlink("../../outer", filepath.Join(root, "deps/out"))
		os.Symlink("../../../outer", filepath.Join(root, "deps/@s/out"))
		os.Symlink("../a", filepath.Join(root, "deps/@s/in"))
		keeper := NewKeeper(nil, 1)
		e := &Executor{Work: work, Keeper: keeper}
		if overlays {
			if e.Sandbox = namespaces(t, work); e.Sandbox == nil {
				continue
			}
		}
		spec := several(map[string][]oracle.File{"1": {file("f", ""), file("deps/b/3", "3")}, "2": {file("f", "")}})
		spec.Name, spec.Disk = "f", 1<<19
		spec.Outside = &oracle.Outside{Root: root, Paths: []string{"deps", "env"}, Except: []string{"deps/b", "deps/c"}}
		ask := func(candidate, script string) oracle.Run {
			t.Helper()
			spec.Argv = []string{"/bin/sh", "-ec", script}
			run, err := e.Run(context.Background(), *spec, []byte(candidate))
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		const whole, spoil = "test -s deps/a/1 -a -s env -a ! -e deps/b/2 -a ! -e deps/c -a ! -e new; " +
			"test $(cat deps/out deps/@s/out) = oo -a $(readlink deps/@s/in) = ../a; ",
			"rm -r deps/a deps/out env; mkdir deps/new; touch new; "
		for _, q := range []struct{ candidate, script string }{
			{"1", whole + "grep 3 deps/b/3; rm deps/b/3; " + spoil},
			{"1", whole + "grep 3 deps/b/3"},
			{"2", whole + "test ! -e deps/b -a ! -e deps/new; echo x >>deps/a/1; " + spoil},
			{"1", whole + "grep 3 deps/b/3; test ! -e deps/new"},
		} {
			if run := ask(q.candidate, q.script); run.Outcome != algo.Interesting {
				t.Errorf("overlays %t: %s: %+v", overlays, q.script, run)
			}
		}
		if run := ask("1", "head -c 1000000 /dev/zero >deps/a/2"); run.Exceeded != oracle.DiskLimit {
			t.Errorf("overlays %t: a test that writes too much: %+v", overlays, run)
		}
		e.Keeper, e.Work = nil, t.TempDir()
		if run := ask("1", whole+"grep 3 deps/b/3"); run.Outcome != algo.Interesting {
			t.Errorf("overlays %t: without a keeper: %+v", overlays, run)
		}
		e.Keeper, e.Work = keeper, work
		e.Keeper.KeepBuilds(true)
		ask("1", "echo x >deps/made; rm deps/a/1; echo x >deps/b/made")
		if run := ask("2", "test -e deps/made -a ! -e deps/a/1 -a ! -e deps/b/3"); run.Outcome != algo.Interesting {
			t.Errorf("overlays %t: a kept build is lost: %+v", overlays, run)
		}
		if got := tree(t, root); len(got) != 12 {
			t.Errorf("overlays %t: the test changed files of the project: %v", overlays, got)
		}
		mounted := false
		for _, d := range e.Keeper.free[true] {
			mounted = mounted || d.over != nil
		}
		if mounted != overlays {
			t.Errorf("overlays %t, want %t", mounted, overlays)
		}
		e.Keeper.Clear()
		if left, _ := os.ReadDir(work); len(left) > 0 {
			t.Errorf("overlays %t: %v is left", overlays, left)
		}
	}
}

// Tests of a project see their candidate at its path, too, and get the ignored files that they need.
func TestSettle(t *testing.T) {
	project, err := os.MkdirTemp("/var/tmp", "whittle-test-") // the sandbox hides /dev/shm
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(project) })
	all := []oracle.File{file("a", "original"), file("made", "made"), file("log", ""), file("out/tool", ""), file("history", "")}
	if err := oracle.WriteFiles(project, all); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	box := namespaces(t, work)
	if box == nil {
		t.Skip()
	}
	for _, test := range []struct{ script, needed, home string }{
		{"cat " + project + "/a", "[]", project},
		{"cat " + project + "/made", "[made]", project},
		{"cat made", "[made]", project},
		{"cat made out/tool log", "[log made out]", project},
		{"cat a " + project + "/history", "[]", ""},
	} {
		spec := several(map[string][]oracle.File{"1": {file("a", "original")}})
		spec.Name, spec.Argv = "a", []string{"/bin/sh", "-c", test.script}
		trial := Trial{
			Program: Executor{Work: work, Keeper: NewKeeper(nil, 1)}, Spec: *spec, Input: []byte("1"), Command: true,
			Project: project, LeftOut: []string{"log", "made", "out"},
			Same: func(a, b oracle.Run) bool { return string(a.Output) == string(b.Output) },
		}
		_, needed, err := trial.Settle(context.Background(), box)
		if err != nil || fmt.Sprint(needed) != test.needed || box.Home != test.home {
			t.Errorf("%s: needed %v, home %q, %v", test.script, needed, box.Home, err)
		}
	}
}

// In the output, paths of the project become paths of the candidate.
func TestHere(t *testing.T) {
	spec := several(map[string][]oracle.File{"1": {file("a", "")}})
	spec.Name = "a"
	e := Executor{Work: t.TempDir(), Keeper: NewKeeper(nil, 1), Sandbox: namespaces(t, t.TempDir())}
	if e.Sandbox == nil {
		t.Skip()
	}
	home := t.TempDir()
	e.Sandbox.Home, spec.KeepOutput = home, true
	spec.Argv = []string{"/bin/sh", "-c", "echo $0/b ../..$0/b file://$0/b; echo /b$0/b .$0/b $0.b; pwd", home}
	run, err := e.Run(context.Background(), *spec, []byte("1"))
	lines := strings.Split(string(run.Output), "\n")
	if err != nil || len(lines) != 4 {
		t.Fatalf("%q, %v", run.Output, err)
	}
	b := lines[2] + "/b"
	if want := b + " " + b + " file://" + b; lines[0] != want || lines[1] != fmt.Sprintf("/b%s/b .%[1]s/b %[1]s.b", home) {
		t.Errorf("%q, want %s", run.Output, want)
	}
}
