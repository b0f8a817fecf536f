package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"whittle/oracle"
)

// output is where the best file goes.
type output struct {
	path   string
	mode   fs.FileMode
	stream bool // a device or pipe: written once, at the end
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

// openOutput finds out what path is. A file is replaced, a device or a pipe
// written to; a link, or the input itself, is left alone.
func openOutput(path string, input fs.FileInfo) (*output, error) {
	out := &output{path: path, mode: input.Mode().Perm()}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if link, _ := os.Lstat(path); link != nil {
			return nil, usagef("%s is a link to nothing; remove it or choose another output with -o", path)
		}
		return out, out.probe()
	case err != nil:
		return nil, usageError{fmt.Errorf("output: %w", err)}
	case info.IsDir():
		return nil, usagef("%s is a directory; name a file with -o", path)
	case !info.Mode().IsRegular():
		out.stream = true
		return out, nil
	case os.SameFile(info, input):
		return nil, usagef("%s is the input, which is never overwritten; use --in-place for that", path)
	}
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, usagef("%s is a symbolic link and would be replaced; name the file itself with -o", path)
	}
	return out, out.probe()
}

// probe finds out early whether the directory can be written.
func (o *output) probe() error {
	f, err := renameio.TempFile("", o.path)
	if err == nil {
		return f.Cleanup()
	}
	return o.failed(err)
}

// write replaces the file, in one step.
func (o *output) write(file []byte) error {
	if o.stream {
		return nil
	}
	if err := renameio.WriteFile(o.path, file, o.mode); err != nil {
		return o.failed(err)
	}
	return nil
}

// finish writes what could not be replaced.
func (o *output) finish(file []byte) error {
	if !o.stream {
		return nil
	}
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(file)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return o.failed(err)
	}
	return nil
}

func (o *output) failed(err error) error {
	return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write the result %s: %w; choose another place with -o", o.path, err)}
}

// backUp keeps the input as FILE.orig, and never over another file.
func backUp(path string, input []byte, mode fs.FileMode) error {
	orig := path + ".orig"
	f, err := os.OpenFile(orig, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s exists already and might be the only copy of an input; move it away before --in-place", orig)
	}
	if err == nil {
		_, err = f.Write(input)
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot keep the input as %s: %w", orig, err)}
	}
	return nil
}
