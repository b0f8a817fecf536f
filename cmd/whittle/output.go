package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"whittle/internal/beside"
	"whittle/oracle"
)

// output is where the best file goes.
type output interface {
	// claim makes the output ours until release; nothing is touched before. The
	// error wraps disk.ErrInUse if another whittle has it.
	claim() error
	release()
	// takeUp gives what is there, nil if there is nothing.
	takeUp() []byte
	// disown has the next write keep what is there elsewhere, unless it is the same.
	disown()
	// write takes the best file so far. If it is there, nothing happens.
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
	return beside.Path(dir, strings.TrimSuffix(base, ext), ".reduced"+ext)
}

// besideResult gives the path that files about a result are named after: that of
// the result, or where it goes by default if that is a device.
func besideResult(path string, s *subject) string {
	if info, err := os.Stat(path); isStandard(path) || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return s.resultPath()
	}
	if s.set != nil && path == s.String() { // in place
		path = s.paths[0]
	}
	return filepath.Clean(path)
}

// openOutput finds out what path is. A file is replaced, a device or a pipe
// written to; a link, the input or the test is left alone.
func openOutput(s *subject, path, test string) (output, error) {
	input := s.paths[0]
	if isStandard(path) {
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
	return &places{subject: s, all: []*place{{path: path, name: "."}}}, nil
}

func cannotWrite(path string, err error) error {
	err = fmt.Errorf("cannot write the result to %s: %w; choose another place with -o", path, err)
	return &oracle.EnvironmentError{Err: err}
}
