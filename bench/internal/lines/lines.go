// Package lines keeps records in a file, a line of JSON for each.
package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a file that records are added to.
type File struct{ file *os.File }

// Open opens a file or makes one, with its folder, and gives each record that is there
// to take. A last line that was torn off is dropped.
func Open[R any](path string, take func(R)) (*File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	number := 0
	for line := range bytes.Lines(whole) {
		number++
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: line %d is no run: %w; remove the line and run again", path, number, err)
		}
		take(r)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil && len(whole) < len(content) {
		err = file.Truncate(int64(len(whole)))
	}
	return &File{file}, err
}

// Add adds a record.
func (f *File) Add(record any) error {
	line, err := json.Marshal(record)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	return err
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
