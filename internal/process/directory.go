package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"whittle/internal/disk"
	"whittle/oracle"
)

// MakeDirectory creates a directory in work for this user only, and returns its absolute path.
func MakeDirectory(work string) (string, error) {
	work, err := filepath.Abs(work)
	if err != nil {
		return "", oracle.Errorf("cannot find the directory for tests: %w", err)
	}
	dir, err := os.MkdirTemp(work, "test-*")
	if err != nil {
		return "", oracle.Errorf("cannot make a directory for the test: %w%s", err, Advice(err))
	}
	return dir, nil
}

var testPath = regexp.MustCompile(`(file://)?/[^\s"'()\[\]]*/whittle-work-[0-9]+/test-[0-9]+/test/`)

// Relative makes the paths of test files relative, so that a report has no directories of this machine.
func Relative(text string) string { return testPath.ReplaceAllLiteralString(text, "") }

// RemoveDirectory is [disk.RemoveTree].
func RemoveDirectory(dir string) error {
	if err := disk.RemoveTree(dir); err != nil {
		return oracle.Errorf("cannot remove the directory of a test: %w; remove it by hand", err)
	}
	return nil
}

// Lay writes a candidate into a new directory in around, and makes a directory for temporary files:
// a hidden one in dir, or next to it if the candidate has several files, which a test may list.
func Lay(l *oracle.Layout, around string, candidate []byte) (dir, tmp string, err error) {
	dir = filepath.Join(around, "test")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", "", oracle.Errorf("cannot make a directory for the test: %w%s", err, Advice(err))
	}
	if err := l.Put(dir, candidate); err != nil {
		return "", "", oracle.Errorf("cannot write the candidate: %w%s", err, Advice(err))
	}
	within := dir
	if l.Several() {
		within = around
	}
	// The candidate may have this name.
	for tmp = filepath.Join(within, ".tmp"); ; tmp += "_" {
		if err = os.Mkdir(tmp, 0o700); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", "", oracle.Errorf("cannot make a temporary directory for the test: %w%s", err, Advice(err))
	}
	return dir, tmp, nil
}

// Environment returns the environment of a test in dir, with auxiliary files in home. A nil base
// means the environment of this process.
func Environment(base []string, dir, tmp, home string) []string {
	ours := []string{
		"PWD=" + dir,
		"TMPDIR=" + tmp,
		"TMP=" + tmp,
		"TEMP=" + tmp,
		"WHITTLE_TEST_DIR=" + home,
	}
	if base == nil {
		base = os.Environ()
	}
	isOurs := func(e string) bool {
		return slices.ContainsFunc(ours, func(o string) bool { return strings.HasPrefix(e, o[:strings.IndexByte(o, '=')+1]) })
	}
	return append(slices.DeleteFunc(slices.Clone(base), isOurs), ours...)
}

// Advice returns advice about an error in a test directory, for the end of a message.
func Advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "; free some space there, or set TMPDIR or --work-dir to a roomier place"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist),
		errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return "; set TMPDIR or --work-dir to a directory that can be written to"
	}
	return ""
}
