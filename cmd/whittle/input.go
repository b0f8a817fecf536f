package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/oracle"
)

// readInput reads the file to reduce.
func readInput(file string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, usagef("there is no file %s to reduce", file)
	case err == nil && info.IsDir():
		return nil, nil, usagef("%s is a directory; whittle reduces one file", file)
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, usagef("%s is not a plain file; copy it to one to reduce it", file)
	}
	input, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, usagef("cannot read the file to reduce: %w", err)
	}
	return input, info, nil
}

// findTest checks that the test can be run.
func findTest(test string, input fs.FileInfo) (*oracle.Command, error) {
	info, err := os.Stat(test)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no test %s", test)
	case err != nil:
		return nil, usagef("cannot use the test: %w", err)
	case info.IsDir():
		return nil, usagef("the test %s is a directory; it must be a program", test)
	case !info.Mode().IsRegular():
		return nil, usagef("the test %s is not a program", test)
	case info.Mode()&0o111 == 0 && input.Mode()&0o111 != 0:
		return nil, usagef("the test %s is not executable, but the file to reduce is; the test comes first: whittle reduce TEST FILE", test)
	case info.Mode()&0o111 == 0:
		return nil, usagef("the test %s is not executable; run: chmod +x %s", test, quote(test))
	}
	path, err := filepath.Abs(test)
	if err != nil {
		return nil, usagef("cannot find the test %s: %w", test, err)
	}
	return &oracle.Command{Path: path}, nil
}
