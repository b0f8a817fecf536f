package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"whittle/oracle"
)

// openInPlace prepares to replace the input. If an earlier run seems to have done
// so already, it gives what that kept as FILE.orig in its stead: whether it was
// this reduction is for the journal to say.
func openInPlace(path string, input []byte, mode fs.FileMode) (out output, original []byte, err error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, usagef("%s is a symbolic link and would be replaced; name the file itself for --in-place", path)
	}
	original = input
	if info, err := os.Lstat(backUpPath(path)); err == nil {
		if !info.Mode().IsRegular() {
			return nil, nil, backUpExists(path)
		}
		kept, err := os.ReadFile(backUpPath(path))
		if err != nil {
			return nil, nil, usagef("cannot read what an earlier run kept: %w", err)
		}
		if !bytes.HasPrefix(input, kept) {
			original = kept
		}
	}
	out, err = openReplaced(path, mode)
	return out, original, err
}

func backUpPath(path string) string { return path + ".orig" }

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
