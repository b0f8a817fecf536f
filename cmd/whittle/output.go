package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"whittle/oracle"
)

// output is where the best file goes.
type output interface {
	// takeUp gives the file that is there, nil if there is none, and removes what
	// a killed run left of one half written.
	takeUp() []byte
	// write takes the best file so far.
	write(file []byte) error
	// finish makes the last that was written stay. Once ctx is done it does not
	// wait long for others, once hurry is done it does not wait at all.
	finish(ctx, hurry context.Context) error
}

// resultPath gives the default output: small.reduced.c for small.c.
func resultPath(input string) string {
	dir, base := filepath.Split(input)
	ext := filepath.Ext(base)
	if ext == base { // .profile
		ext = ""
	}
	return dir + strings.TrimSuffix(base, ext) + ".reduced" + ext
}

// besideResult gives the path that files about a result are named after: that of
// the result, or where it goes by default if that is a device.
func besideResult(path string, s *subject) string {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return s.resultPath()
	}
	if s.set != nil && path == s.String() { // in place
		path = s.paths[0]
	}
	return filepath.Clean(path)
}

// openOutput finds out what path is. A file is replaced, a device or a pipe
// written to; a link, the input or the test is left alone.
func openOutput(path, input, test string, mode fs.FileMode) (output, error) {
	if _, ok := standard(path); ok {
		return &stream{path: path}, nil
	}
	info, err := os.Stat(path)
	link, _ := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && link != nil:
		return nil, usagef("%s is a symbolic link to nothing; remove it or choose another output with -o", path)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(path, "/"):
		return nil, usagef("%s is not a directory, and would be no file; name a file with -o", path)
	case errors.Is(err, fs.ErrNotExist):
		return openReplaced(path, mode)
	case err != nil:
		return nil, cannotWrite(path, err)
	case info.IsDir():
		return nil, usagef("%s is a directory; name a file with -o", path)
	case !info.Mode().IsRegular():
		if err := unix.Access(path, unix.W_OK); err != nil {
			return nil, cannotWrite(path, err)
		}
		return &stream{path: path}, nil
	case samePath(path, input):
		return nil, usagef("%s is the file to reduce, which is never overwritten; use --in-place for that", path)
	case samePath(path, test):
		return nil, usagef("%s is the test and would be overwritten; choose another output with -o", path)
	case link.Mode()&fs.ModeSymlink != 0:
		return nil, usagef("%s is a symbolic link and would be replaced; name the file itself with -o", path)
	}
	return openReplaced(path, mode)
}

// samePath tells whether a write to one file would harm the other.
func samePath(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	a, errA = filepath.Abs(a)
	b, errB = filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// replaced is a file that each better one replaces, in one step.
type replaced struct {
	path string
	mode fs.FileMode
}

// openReplaced finds out early whether there can be new files beside path.
func openReplaced(path string, mode fs.FileMode) (output, error) {
	r := &replaced{path, mode}
	f, err := r.pending()
	if err == nil {
		err = f.Cleanup()
	}
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	return r, nil
}

// pending makes a file that is to become the one at path. Its name is that of
// path with a dot before and digits after it.
//
// It is not renameio.WriteFile, which keeps the mode of a file that is there.
func (r *replaced) pending() (*renameio.PendingFile, error) {
	return renameio.NewPendingFile(r.path, renameio.WithTempDir(filepath.Dir(r.path)), renameio.WithStaticPermissions(r.mode))
}

// removePending removes what a killed run left of pending.
func removePending(path string) {
	dir, base := filepath.Split(path)
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		digits, ours := strings.CutPrefix(e.Name(), "."+base)
		if ours && digits != "" && strings.Trim(digits, "0123456789") == "" {
			os.Remove(dir + e.Name())
		}
	}
}

func (r *replaced) takeUp() []byte {
	removePending(r.path)
	file, err := os.ReadFile(r.path)
	if err != nil {
		return nil
	}
	return file
}

func (r *replaced) write(file []byte) error {
	f, err := r.pending()
	if err != nil {
		return cannotWrite(r.path, err)
	}
	defer f.Cleanup()
	if _, err := f.Write(file); err != nil {
		return cannotWrite(r.path, err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return cannotWrite(r.path, err)
	}
	return nil
}

// finish has nothing to do: each write is on the disk.
func (r *replaced) finish(_, _ context.Context) error { return nil }

func cannotWrite(path string, err error) error {
	return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write the result to %s: %w; choose another place with -o", path, err)}
}
