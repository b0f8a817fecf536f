package oracle

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/environment"
)

// A Layout says how a candidate lies in the directory of its test: as one file,
// or as what Write makes of it.
type Layout struct {
	// Name is the base name of the file; with Write, the path below the directory that
	// stands for the candidate in arguments.
	Name string
	// Mode has the permissions of the file; 0 means 0o644.
	Mode fs.FileMode

	// Write, if not nil, writes a candidate that is more than one file into
	// the empty directory dir, and nothing elsewhere. It may be called from
	// several goroutines at once.
	Write func(dir string, candidate []byte) error
}

// argument returns the candidate's name for a command that runs beside it.
func (l *Layout) argument() string {
	if strings.HasPrefix(l.Name, "-") {
		return "./" + l.Name // not an option
	}
	return l.Name
}

// check returns an error if the name makes no sense. One that leads out of the test's
// directory would put the candidate there.
func (l *Layout) check() error {
	if l.Name == filepath.Base(l.Name) && l.Name != "." && l.Name != ".." && l.Name != "/" {
		return nil
	}
	if l.Write != nil && filepath.IsLocal(l.Name) {
		return nil
	}
	return environment.Errorf("not a base name for the candidate: %q", l.Name)
}

// Put writes the candidate into the directory dir.
func (l *Layout) Put(dir string, candidate []byte) error {
	if l.Write != nil {
		return l.Write(dir, candidate)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return disk.WriteFile(root, l.Name, cmp.Or(l.Mode.Perm(), 0o644), candidate)
}
