package local

import (
	"io/fs"
	"os"

	"whittle/internal/environment"
)

// A Program is the file of a test program as it was at the beginning.
type Program struct {
	path string
	info fs.FileInfo
}

// NewProgram takes note of the program at an absolute path.
func NewProgram(path string) (*Program, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, environment.Errorf("cannot find the test: %w", err)
	}
	return &Program{path, info}, nil
}

// check looks whether the program is still the same. A nil one may be any.
func (p *Program) check() error {
	if p == nil {
		return nil
	}
	info, err := os.Stat(p.path)
	if err != nil { // the next start tells
		return nil
	}
	if os.SameFile(info, p.info) && info.Size() == p.info.Size() && info.ModTime().Equal(p.info.ModTime()) {
		return nil
	}
	return environment.Errorf("the test %s was changed while whittle ran, so what it said before may not hold; "+
		"start again", p.path)
}
