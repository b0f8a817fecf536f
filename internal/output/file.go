package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a regular file. Messages contain purpose, as in "to reduce".
func ReadFile(file, purpose string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no file %s %s", file, purpose)
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is not a plain file; copy it to one %s it", file, purpose)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the file %s: %w", purpose, err)
	}
	input, err := readSized(file, info.Size())
	switch {
	case errors.Is(err, errLonger):
		return nil, nil, fmt.Errorf("%s has more than its size of %d bytes: "+
			"the system generates it, or it is still being written; "+
			"copy it to a file %s it", file, info.Size(), purpose)
	case err != nil:
		return nil, nil, fmt.Errorf("cannot read the file %s: %w", purpose, err)
	}
	return input, info, nil
}

var errLonger = errors.New("longer than its size")

// readSized reads a file of known size; endless ones, as in /proc, have size 0.
func readSized(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content := make([]byte, size)
	n, err := io.ReadFull(f, content)
	if err == io.ErrUnexpectedEOF || err == io.EOF && size > 0 {
		return content[:n], nil // it became shorter
	}
	if err != nil && size > 0 {
		return nil, err
	}
	if n, err := f.Read(make([]byte, 1)); n > 0 {
		return nil, errLonger
	} else if err != io.EOF {
		return nil, err
	}
	return content, nil
}
