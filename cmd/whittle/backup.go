package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/oracle"
)

// openInPlace prepares to replace the input.
func openInPlace(path string, mode fs.FileMode) (output, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, usagef("%s is a symbolic link and would be replaced; name the file itself for --in-place", path)
	}
	return openReplaced(path, mode)
}

// source gives the path that an input is read from. With --in-place that is what
// an earlier run kept of it, if it kept all; whether that was a run of this
// reduction is for the journal to say.
func (f *reduceFlags) source(path string) (string, error) {
	kept := backUpPath(path)
	info, err := os.Lstat(kept)
	switch {
	case !f.inPlace, errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil, !info.IsDir() && !info.Mode().IsRegular():
		return "", backUpExists(path)
	case info.Mode().IsRegular() && isBeginning(kept, path):
		return path, nil
	}
	return kept, nil
}

// isBeginning tells whether a file is all that a killed run came to copy of
// another, or the whole of it.
func isBeginning(file, of string) bool {
	part, err := os.ReadFile(file)
	whole, errWhole := os.ReadFile(of)
	return err == nil && errWhole == nil && bytes.HasPrefix(whole, part)
}

func backUpPath(path string) string { return filepath.Clean(path) + ".orig" }

func backUpExists(path string) error {
	return usagef("%s exists already and may be the only copy of an earlier input; move it away, then use --in-place", backUpPath(path))
}

// backUp keeps the input as FILE.orig, and never over another file, unless it is
// the beginning of the input: all that a killed run came to write.
func backUp(path string, input []byte, mode fs.FileMode) error {
	if kept, err := os.ReadFile(backUpPath(path)); err == nil && bytes.HasPrefix(input, kept) {
		if len(kept) == len(input) {
			return nil
		}
		os.Remove(backUpPath(path))
	}
	f, err := os.OpenFile(backUpPath(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return backUpExists(path)
	}
	if err == nil {
		_, err = f.Write(input)
		if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
			os.Remove(f.Name())
		}
	}
	if err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot keep the input as %s: %w", backUpPath(path), err)}
	}
	return nil
}
