package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a plain file that is there for some purpose, as "to reduce".
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
		return nil, nil, fmt.Errorf("%s says that its size is %d and has more: the system makes it up, "+
			"or somebody writes it; "+
			"copy it to a file %s it", file, info.Size(), purpose)
	case err != nil:
		return nil, nil, fmt.Errorf("cannot read the file %s: %w", purpose, err)
	}
	return input, info, nil
}

// errLonger says that a file has more bytes than it should.
var errLonger = errors.New("longer than it says")

// readSized reads a file of a known size. There are files without an end, as those
// of /proc, which say that they are empty.
func readSized(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content := make([]byte, size)
	n, err := io.ReadFull(f, content)
	if err == io.ErrUnexpectedEOF || err == io.EOF && size > 0 {
		return content[:n], nil // it is shorter by now
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
