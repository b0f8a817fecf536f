package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"whittle/internal/disk"
	"whittle/oracle"
)

// Kept returns the error to return if a kept original belongs to another reduction, or nil.
func (in *Input) Kept() error {
	if len(in.kept) == 0 {
		return nil
	}
	return backedUp(in.kept[0])
}

// BackUpPath returns the path of the kept original.
func BackUpPath(path string) string { return disk.AddSuffix(path, ".orig") }

func backedUp(path string) error {
	return fmt.Errorf("%[2]s exists already and may be the only copy of an earlier input; "+
		"move it away to reduce %[1]s as it is now",
		path, BackUpPath(path))
}

// source returns the path to read: in place the kept original. The [Guard] checks later that it
// belongs to this reduction.
func (in *Input) source(path string) (string, error) {
	kept := BackUpPath(path)
	info, err := os.Lstat(kept)
	switch {
	case !in.inPlace, errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", fmt.Errorf("cannot use %s for --in-place: %w", path, err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", backedUp(path)
	}
	if now, err := os.Lstat(path); err == nil && now.IsDir() != info.IsDir() {
		return "", backedUp(path)
	}
	return kept, nil
}

// NewInPlace returns the output that replaces the input. The original stays as FILE.orig, and the
// journal records writes to FILE. Both stay, so that the same command continues, or finds its work
// done, unless FILE has changed since.
func NewInPlace(in *Input, test string) (*Output, error) {
	o := &Output{Path: in.String(), in: in}
	for i, path := range in.Paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) { // a run was killed after the move
			info, err = os.Lstat(BackUpPath(path))
		}
		switch {
		case err != nil:
			return nil, cannotWrite(path, err)
		case info.Mode()&fs.ModeSymlink != 0 && in.Set == nil:
			return nil, fmt.Errorf("%s is a symbolic link and would be replaced; name the file itself for --in-place", path)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, fmt.Errorf("%s is a symbolic link and would be replaced; name what it points to for --in-place", path)
		case info.IsDir() && Within(".", path):
			return nil, fmt.Errorf("the current directory is in %s, which would be replaced; "+
				"call whittle from outside for --in-place",
				path)
		case info.IsDir() && Within(test, path):
			return nil, fmt.Errorf("the test %s is in %s, which would be replaced; move it elsewhere for --in-place", test, path)
		}
		p := newPlace(path, info.IsDir())
		p.kept = in.Source(path) != path
		if in.Set != nil {
			p.name = in.Names[i]
		}
		o.places = append(o.places, p)
	}
	return o, nil
}

// BackUp keeps the originals in place. It needs a synced journal.
func (g *Guard) BackUp() error {
	o := g.out
	if !o.in.inPlace {
		return nil
	}
	entries, err := o.in.entries(o.in.Bytes)
	if err != nil {
		return err
	}
	for _, p := range o.places {
		original := BackUpPath(p.path)
		switch {
		case p.kept:
		case p.isDir:
			p.keepDirectory(original)
		default:
			e := p.part(entries)[0]
			if err := p.keepFile(original, e.Content, e.Mode.Perm()); errors.Is(err, fs.ErrExist) {
				return backedUp(p.path)
			} else if err != nil {
				return &oracle.EnvironmentError{Err: fmt.Errorf("cannot keep the input as %s: %w", original, err)}
			}
		}
	}
	return nil
}

func changed(path string) error {
	return fmt.Errorf("%[1]s is neither the result of whittle nor the input, which is %[2]s; "+
		"move %[1]s away to go on with reducing %[2]s, or move %[2]s away to reduce %[1]s as it is now",
		path, BackUpPath(path))
}
