package main

import (
	"errors"
	"io/fs"
	"os"
)

// readInput reads a file that is there for some purpose, as "to reduce".
func readInput(file, purpose string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, usagef("there is no file %s %s", file, purpose)
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, usagef("%s is not a plain file; copy it to one %s it", file, purpose)
	}
	input, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, usagef("cannot read the file %s: %w", purpose, err)
	}
	return input, info, nil
}
