package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"whittle/internal/disk"
	"whittle/oracle"
	"whittle/parse/archive"
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
	var input []byte
	if err == nil {
		input, err = readAtMost(file, info.Size())
	}
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

var errLonger = errors.New("too long")

// Files in /proc of size 0 may be endless.
func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		err = errLonger
	}
	return content, err
}

func asFiles(entries []archive.Entry) []oracle.File {
	files := make([]oracle.File, len(entries))
	for i, e := range entries {
		files[i] = oracle.File{Path: e.Path, Mode: e.Mode, Link: e.Link, Content: e.Content}
	}
	return files
}

// WriteAnew replaces an earlier file without following links. Only the user may read it, because
// output of tests may contain the input.
func WriteAnew(path, content string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return disk.Create(path, []byte(content), 0o600)
}
