package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	k, work := NewKeeper(nil), t.TempDir()
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
