package output

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// NewStandardInput copies r, of at most so many bytes, to a file in dir. Its sidecar files go to
// the current directory.
func NewStandardInput(r io.Reader, dir, name string, most int64) (*Input, error) {
	var in *Input
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err == nil {
		var n int64
		n, err = io.Copy(f, io.LimitReader(r, most+1))
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err == nil && n > most {
			err = fmt.Errorf("it has more than %d bytes", most)
		}
	}
	if err == nil {
		in, err = NewInput(false, path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	in.Called, in.Name, in.standard = "standard input", name, true
	return in, nil
}
