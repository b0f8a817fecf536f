package oracle

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A Layout says how a candidate lies in the directory of its test: as one file,
// or as what Write makes of it.
type Layout struct {
	Name string      // base name of the file; with Write, the path below the directory that stands for the candidate in arguments
	Mode fs.FileMode // permissions of the file; 0 means 0o644

	// Write, if not nil, writes a candidate that is more than one file into
	// the empty directory dir, and nothing elsewhere. It may be called from
	// several goroutines at once.
	Write func(dir string, candidate []byte) error
}

// argument gives the candidate's name for a command that runs beside it.
func (l *Layout) argument() string {
	if strings.HasPrefix(l.Name, "-") {
		return "./" + l.Name // not an option
	}
	return l.Name
}

// check says whether the name makes sense. One that leads out of the test's
// directory would put the candidate there.
func (l *Layout) check() error {
	if l.Name == filepath.Base(l.Name) && l.Name != "." && l.Name != ".." && l.Name != "/" {
		return nil
	}
	if l.Write != nil && filepath.IsLocal(l.Name) {
		return nil
	}
	return environmentError("not a base name for the candidate: %q", l.Name)
}

// lay puts the candidate into the empty directory dir, and makes an empty hidden
// directory for temporary files beside it.
func (l *Layout) lay(dir string, candidate []byte) (tmp string, err error) {
	if err := l.Put(dir, candidate); err != nil {
		return "", environmentError("cannot write the candidate: %w%s", err, advice(err))
	}
	// The candidate may have the name itself.
	for tmp = filepath.Join(dir, ".tmp"); ; tmp += "_" {
		if err = os.Mkdir(tmp, 0o700); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", environmentError("cannot make a temporary directory for the test: %w%s", err, advice(err))
	}
	return tmp, nil
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
	return WriteFile(root, l.Name, cmp.Or(l.Mode.Perm(), 0o644), candidate)
}

// WriteFile writes a new file with exactly the given permissions. A test may
// execute it at once.
func WriteFile(root *os.Root, name string, mode fs.FileMode, data []byte) error {
	if mode&0o111 != 0 {
		// To execute it would fail with "text file busy" while any process has
		// it open for writing. A process that is forked meanwhile to run
		// another test would have, until its exec.
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		_, err = f.Write(data)
		if e := f.Chmod(mode); err == nil { // the umask may have taken something
			err = e
		}
		if e := f.Close(); err == nil {
			err = e
		}
	}
	return err
}
