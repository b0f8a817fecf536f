package oracle

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/disk"
)

// A Layout writes a candidate to the directory of its test: as one file, as several, or by a
// function.
type Layout struct {
	// Name replaces the placeholder in arguments: the base name of the file, or with several files
	// a path below the directory.
	Name string
	// Absolute adds the directory to Name, for programs that start elsewhere. Only tests on this machine support it.
	Absolute bool
	// Mode has the permissions of the file; 0 means 0o644.
	Mode fs.FileMode

	// Files, if not nil, returns the files of a candidate. It must be safe for concurrent use.
	Files func(candidate []byte) ([]File, error)

	// Write, if not nil, replaces Files: it writes a candidate into the empty directory dir. It
	// must be safe for concurrent use. Only tests on this machine support it.
	Write func(dir string, candidate []byte) error

	// Outside, if not nil, is written before the files of a candidate. Only tests on this machine support it.
	Outside *Outside
}

// A File is a file, a directory or a symbolic link of a candidate.
type File struct {
	Path    string      // relative, clean, with slashes; "." is the test's directory
	Mode    fs.FileMode // type and permissions
	Link    string      // target of a link
	Content []byte      // of a file
}

// Several reports whether a candidate may have several files.
func (l *Layout) Several() bool { return l.Files != nil || l.Write != nil }

func (l *Layout) argument() string {
	if strings.HasPrefix(l.Name, "-") {
		return "./" + l.Name // not an option
	}
	return l.Name
}

func (l *Layout) check() error {
	if l.Name == filepath.Base(l.Name) && l.Name != "." && l.Name != ".." && l.Name != "/" {
		return nil
	}
	if l.Several() && filepath.IsLocal(l.Name) {
		return nil
	}
	return Errorf("not a base name for the candidate: %q", l.Name)
}

// Put writes the candidate into the directory dir.
func (l *Layout) Put(dir string, candidate []byte) error {
	if l.Write != nil {
		return l.Write(dir, candidate)
	}
	files, err := l.List(candidate)
	if err == nil && l.Outside != nil {
		err = l.Outside.Copy(dir)
	}
	if err != nil {
		return err
	}
	return WriteFiles(dir, files)
}

// List returns the files of a candidate. Write must be nil.
func (l *Layout) List(candidate []byte) ([]File, error) {
	if l.Files != nil {
		return l.Files(candidate)
	}
	return []File{{Path: l.Name, Mode: cmp.Or(l.Mode.Perm(), 0o644), Content: candidate}}, nil
}

// Write writes a file or link into the existing directory of its path.
func (f *File) Write(root *os.Root) error {
	if f.Mode.Type() == fs.ModeSymlink {
		return root.Symlink(f.Link, f.Path)
	}
	return disk.WriteFile(root, f.Path, f.Mode.Perm(), f.Content)
}

// WriteFiles writes files into the directory dir, with exactly their permissions. Files must be new, not directories.
func WriteFiles(dir string, files []File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, f := range files {
		if parent := path.Dir(f.Path); !made[parent] {
			if err := root.MkdirAll(parent, 0o777); err != nil {
				return err
			}
			made[parent] = true
		}
		if f.Mode.IsDir() {
			if !made[f.Path] {
				err = root.MkdirAll(f.Path, 0o700)
			}
			made[f.Path] = true
		} else {
			err = f.Write(root)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range slices.Backward(files) { // after their files
		if f.Mode.IsDir() {
			if err := root.Chmod(f.Path, f.Mode.Perm()); err != nil {
				return err
			}
		}
	}
	return nil
}
