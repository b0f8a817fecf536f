// Package lines stores records in a file of JSON lines.
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

// A File is a file that records are appended to.
type File struct{ file *os.File }

// Open opens or creates a file and its directory, and calls take for each record. An incomplete
// last line is truncated.
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
			return nil, fmt.Errorf("%s: line %d is not a valid record: %w; remove the line and run again", path, number, err)
		}
		take(r)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil && len(whole) < len(content) {
		err = file.Truncate(int64(len(whole)))
	}
	return &File{file}, err
}

// Add appends a record.
func (f *File) Add(record any) error {
	line, err := json.Marshal(record)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	return err
}

func (f *File) Close() error { return f.file.Close() }
