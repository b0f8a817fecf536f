package local

import (
	"io/fs"
	"os"

	"whittle/oracle"
)

// A Program records the file of a test program at the start.
type Program struct {
	path string
	info fs.FileInfo
}

// NewProgram records the program at an absolute path.
func NewProgram(path string) (*Program, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, oracle.Errorf("cannot find the test: %w", err)
	}
	return &Program{path, info}, nil
}

// check returns an error if the program has changed.
func (p *Program) check() error {
	if p == nil {
		return nil
	}
	info, err := os.Stat(p.path)
	if err != nil { // for the next start
		return nil
	}
	if os.SameFile(info, p.info) && info.Size() == p.info.Size() && info.ModTime().Equal(p.info.ModTime()) {
		return nil
	}
	return oracle.Errorf("the test %s was changed while whittle ran, so what it said before may not hold; "+
		"start again", p.path)
}
