package sink

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"

	"whittle/internal/disk"
	"whittle/parse/bundle"
)

// writeEntries writes entries into the empty directory dir, with exactly their
// permissions, and nothing elsewhere. One with the path "." is dir itself. A
// directory that an entry needs and that is none itself gets the usual
// permissions.
func writeEntries(dir string, entries []bundle.Entry) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, e := range entries {
		if parent := path.Dir(e.Path); !made[parent] {
			if err := root.MkdirAll(parent, 0o777); err != nil {
				return err
			}
			made[parent] = true
		}
		switch e.Mode.Type() {
		case fs.ModeDir:
			if !made[e.Path] {
				err = root.Mkdir(e.Path, 0o700)
			}
			made[e.Path] = true
		case fs.ModeSymlink:
			err = root.Symlink(e.Link, e.Path)
		default:
			err = disk.WriteFile(root, e.Path, e.Mode.Perm(), e.Content)
		}
		if err != nil {
			return err
		}
	}
	for _, e := range slices.Backward(entries) { // what is in them has been written
		if e.Mode.IsDir() {
			if err := root.Chmod(e.Path, e.Mode.Perm()); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteAnew writes a file in the place of one of an earlier run, and not through
// a link. Only the user may read it: a test may print the input, which may be secret.
func WriteAnew(path, content string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	return errors.Join(err, f.Close())
}
