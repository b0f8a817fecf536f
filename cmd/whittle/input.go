package main

import (
	"errors"
	"io/fs"
	"os"
)

// readInput reads the file to reduce.
func readInput(file string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, usagef("there is no file %s to reduce", file)
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, usagef("%s is not a plain file; copy it to one to reduce it", file)
	}
	input, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, usagef("cannot read the file to reduce: %w", err)
	}
	return input, info, nil
}
