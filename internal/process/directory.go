package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/environment"
	"whittle/oracle"
)

// MakeDirectory makes a fresh directory in work that only this user can enter,
// and returns its absolute path.
func MakeDirectory(work string) (string, error) {
	work, err := filepath.Abs(work)
	if err != nil {
		return "", environment.Errorf("cannot find the directory for tests: %w", err)
	}
	dir, err := os.MkdirTemp(work, "test-*")
	if err != nil {
		return "", environment.Errorf("cannot make a directory for the test: %w%s", err, environment.Advice(err))
	}
	return dir, nil
}

// RemoveDirectory removes dir and all that is in it, as [disk.RemoveTree] does.
func RemoveDirectory(dir string) error {
	if err := disk.RemoveTree(dir); err != nil {
		return environment.Errorf("cannot remove the directory of a test: %w; remove it by hand", err)
	}
	return nil
}

// Lay puts a candidate into the empty directory dir, and makes an empty directory for
// temporary files: a hidden one in dir, or beside it if the candidate is a tree of files,
// which a test may want to copy or to list as a whole.
func Lay(l *oracle.Layout, dir string, candidate []byte) (tmp string, err error) {
	if err := l.Put(dir, candidate); err != nil {
		return "", environment.Errorf("cannot write the candidate: %w%s", err, environment.Advice(err))
	}
	if l.Several() {
		dir = filepath.Dir(dir)
	}
	// The candidate may have the name itself.
	for tmp = filepath.Join(dir, ".tmp"); ; tmp += "_" {
		if err = os.Mkdir(tmp, 0o700); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", environment.Errorf("cannot make a temporary directory for the test: %w%s", err, environment.Advice(err))
	}
	return tmp, nil
}

// Environment returns the environment of a test that runs in dir, for a test program
// that is in home. It is made from base, that of this process if base is nil.
func Environment(base []string, dir, tmp, home string) []string {
	ours := [...]string{
		"PWD=" + dir,
		"TMPDIR=" + tmp,
		"TMP=" + tmp,
		"TEMP=" + tmp,
		"WHITTLE_TEST_DIR=" + home,
	}
	if base == nil {
		base = os.Environ()
	}
	env := make([]string, 0, len(base)+len(ours))
next:
	for _, e := range base {
		for _, o := range ours {
			if strings.HasPrefix(e, o[:strings.IndexByte(o, '=')+1]) {
				continue next
			}
		}
		env = append(env, e)
	}
	return append(env, ours[:]...)
}
