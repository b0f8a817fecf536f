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
