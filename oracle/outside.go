package oracle

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Outside has files that are the same for each candidate, such as dependencies.
type Outside struct {
	Root   string   // absolute
	Paths  []string // relative files and directories
	Except []string // paths below them that tests do not get
}

// Copy copies the files into the directory of a test.
func (o *Outside) Copy(dir string) error {
	for _, name := range o.Paths {
		if err := o.CopyPath(name, dir); err != nil {
			return err
		}
	}
	return nil
}

// CopyPath copies one of the paths.
func (o *Outside) CopyPath(name, dir string) error {
	to := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return copyTree(filepath.Join(o.Root, name), to, o.Link, func(path string) bool {
		return slices.Contains(o.Except, filepath.Join(name, path))
	})
}

// Link returns the target of a symbolic link. It is absolute if a relative one leads out of Root.
func (o *Outside) Link(path string) (target string, err error) {
	target, err = os.Readlink(path)
	if err != nil || filepath.IsAbs(target) {
		return target, err
	}
	end := filepath.Join(filepath.Dir(path), target)
	if inside, err := filepath.Rel(o.Root, end); err == nil && filepath.IsLocal(inside) {
		return target, nil
	}
	return end, nil
}

// copyTree copies a file, a link or a directory with permissions and times, by reference where the file system can.
// A test may change the copies, so they are not hard links. It leaves out the relative paths that skip selects.
func copyTree(from, to string, linked func(path string) (string, error), skip func(name string) bool) error {
	var dirs []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if skip(name) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		switch d.Type() {
		case fs.ModeDir:
			dirs = append(dirs, name)
			return os.Mkdir(target, 0o700)
		case fs.ModeSymlink:
			link, err := linked(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case 0:
			return copyFile(path, target)
		}
		return nil // a socket, for example
	})
	for _, name := range slices.Backward(dirs) { // after their files
		err = errors.Join(err, likewise(filepath.Join(from, name), filepath.Join(to, name)))
	}
	return err
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) // copy_file_range on Linux
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return likewise(from, to)
}

// likewise gives a copy the permissions and times of its original.
func likewise(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	return errors.Join(os.Chmod(to, info.Mode().Perm()), os.Chtimes(to, info.ModTime(), info.ModTime()))
}
