package output

import (
	"errors"
	"io/fs"
	"os"

	"whittle/oracle"
	"whittle/parse/archive"
)

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
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return create(path, []byte(content), 0o600)
}

// create writes a new file.
func create(path string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
