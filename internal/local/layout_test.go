package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

func TestLayoutWrite(t *testing.T) {
	c := newScript(t, `test "$(cat sub/a.c)" = "one two" && test -e .tmp/x &&
test "$TMPDIR" = "$(dirname "$PWD")/.tmp" && test -d "$TMPDIR" && test "$1" = sub/a.c &&
test "$(ls -A)" = "$(printf '.tmp\nsub')"`)
	c.Argv = append(c.Argv, oracle.Placeholder)
	c.Name = "sub/a.c"
	c.Write = func(dir string, candidate []byte) error {
		return errors.Join(os.Mkdir(filepath.Join(dir, "sub"), 0o755), os.Mkdir(filepath.Join(dir, ".tmp"), 0o755),
			os.WriteFile(filepath.Join(dir, ".tmp", "x"), nil, 0o644),
			os.WriteFile(filepath.Join(dir, c.Name), candidate, 0o644))
	}
	if run, err := c.Explain(context.Background(), []byte("one two")); err != nil || run.Outcome != algo.Interesting {
		t.Errorf("%+v, error %v", run, err)
	}

	c.Name = "../a.c"
	if _, err := c.Ask(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "not a base name") {
		t.Errorf("error %v for a name that leads out of the directory", err)
	}
	c.Name = "sub/a.c"
	c.Write = func(string, []byte) error { return os.ErrPermission }
	var environment *oracle.EnvironmentError
	if _, err := c.Ask(context.Background(), nil); !errors.As(err, &environment) {
		t.Errorf("error %v, want an EnvironmentError", err)
	}
}

// A kept build has the lock file of a candidate, but not one that cargo wrote.
func TestLockFile(t *testing.T) {
	spec := several(map[string][]oracle.File{"1": {file("Cargo.toml", "1"), file("x/Cargo.toml", "1"), file("x/Cargo.lock", "1")}})
	k, work := NewKeeper(nil, 1), t.TempDir()
	k.KeepBuilds(true)
	for range 2 {
		d, err := k.take(&Executor{Work: work}, spec, []byte("1"))
		if err != nil {
			t.Fatal(err)
		}
		_, written := os.Stat(d.path("Cargo.lock"))
		if _, own := os.Stat(d.path("x/Cargo.lock")); written == nil || own != nil {
			t.Errorf("the lock files: %v, %v", written, own)
		}
		os.WriteFile(d.path("Cargo.lock"), nil, 0o644)
		d.leave(false, 0)
	}
}

// A test in a kept build may write as much as another one. A build that has grown too much begins again. Links count
// once.
func TestDiskOfKeptBuild(t *testing.T) {
	spec := several(map[string][]oracle.File{"1": {file("f", "1")}})
	spec.Name = "f"
	e := &Executor{Work: t.TempDir(), Keeper: NewKeeper(nil, 1)}
	e.Keeper.KeepBuilds(true)
	spec.Disk = 1 << 20
	spec.Argv = []string{"/bin/sh", "-c", "head -c 600000 /dev/zero >$$; ln $$ $$.link; ls *.link | wc -l"}
	spec.KeepOutput = true
	var all string
	for range 4 {
		run, err := e.Run(context.Background(), *spec, []byte("1"))
		if err != nil || run.Exceeded != oracle.NoLimit {
			t.Fatalf("%+v, %v", run, err)
		}
		all += string(run.Output)
	}
	if want := "1\n2\n3\n1\n"; all != want {
		t.Errorf("files of tests: %q, want %q", all, want)
	}
}

// A cancelled test in a kept build ends by itself, but does not hold up others.
func TestCancelledInKeptBuild(t *testing.T) {
	spec := several(map[string][]oracle.File{"1": {file("f", "1")}})
	spec.Name = "f"
	e := &Executor{Work: t.TempDir(), Keeper: NewKeeper(nil, 2)}
	e.Keeper.KeepBuilds(true)
	e.Keeper.longest.Store(int64(time.Hour))
	ended := filepath.Join(t.TempDir(), "ended")
	spec.Argv = []string{"/bin/sh", "-c", "sleep 1; echo >" + ended}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if run, err := e.Run(ctx, *spec, []byte("1")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v, %v", run, err)
	}
	if _, err := os.Stat(ended); err == nil {
		t.Error("the test has ended")
	}
	spec.Argv = []string{"/bin/sh", "-c", "while ! [ -e " + ended + " ]; do sleep 0.1; done"}
	if run, err := e.Run(context.Background(), *spec, []byte("1")); err != nil || run.ExitCode != 0 {
		t.Errorf("%+v, %v", run, err)
	}
	spec.Argv = []string{"/bin/sleep", "1000"}
	ctx, cancel = context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	e.Run(ctx, *spec, []byte("1"))
	e.Keeper.Close()
	if all, _ := os.ReadDir(e.Work); len(all) != 1 { // the killed one spoiled the other
		t.Errorf("directories %v, want one", all)
	}
}

// A path outside of candidates that the user removes is named.
func TestGone(t *testing.T) {
	c := newScript(t, "test -e logs")
	c.Outside = &oracle.Outside{Root: t.TempDir(), Paths: []string{"logs"}}
	_, err := c.Ask(context.Background(), nil)
	want := c.Outside.Root + "/logs is gone, and tests need it; restore it, and give the same command again"
	if environment := (*oracle.EnvironmentError)(nil); !errors.As(err, &environment) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
