package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"whittle/oracle"
)

// openInPlace prepares to replace the input.
func openInPlace(path string, mode fs.FileMode) (output, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, usagef("%s is a symbolic link and would be replaced; name the file itself for --in-place", path)
	}
	if _, err := os.Lstat(backUpPath(path)); err == nil {
		return nil, backUpExists(path)
	}
	return openReplaced(path, mode)
}

func backUpPath(path string) string { return path + ".orig" }

func backUpExists(path string) error {
	return usagef("%s exists already and may be the only copy of an earlier input; move it away, then use --in-place", backUpPath(path))
}

// backUp keeps the input as FILE.orig, and never over another file.
func backUp(path string, input []byte, mode fs.FileMode) error {
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
