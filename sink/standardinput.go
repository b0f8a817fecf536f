package sink

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// NewStandardInput returns an input that is read to its end from r, and kept as a file in a
// directory of its own until remove is called. Files about it go to the current directory.
func NewStandardInput(r io.Reader, name string, most int64) (in *Input, remove func(), err error) {
	dir, err := os.MkdirTemp("", "whittle-input-")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot keep the standard input: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
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
		remove()
		return nil, nil, fmt.Errorf("cannot read the standard input: %w", err)
	}
	in.Called, in.Name, in.standard = "standard input", name, true
	return in, remove, nil
}
