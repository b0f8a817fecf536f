package output

import (
	"fmt"
	"io"
	"path/filepath"
)

// NewStandardInput copies r, of at most so many bytes, to a file in dir. Sidecar files go to the
// current directory.
func NewStandardInput(r io.Reader, dir, name string, most int64) (*Input, error) {
	path := filepath.Join(dir, name)
	content, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(content)) > most {
		err = fmt.Errorf("it has more than %d bytes", most)
	}
	if err == nil {
		err = create(path, content, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	in, err := NewInput(false, path)
	if err == nil {
		in.Called, in.Name, in.standard = "standard input", name, true
	}
	return in, err
}
