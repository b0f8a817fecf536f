package output

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"whittle/internal/project"
	"whittle/parse"
	"whittle/parse/archive"
)

// A Tree is the result of a [Reader].
type Tree struct {
	Entries []archive.Entry // directories before their content
	Names   []string        // paths of the arguments
	Skipped []string        // version control, and by Skip
}

// A Reader reads files and directories.
type Reader struct {
	// Source maps an argument to the path to read; may be nil.
	Source func(arg string) string
	// Language returns a file's language.
	Language func(path string, content []byte) parse.Language
	// Sealed returns the language of all files in a directory that has a file with this name, if none of them may
	// change, otherwise nil. It may be nil.
	Sealed func(name string, content []byte) parse.Language
	// Skip reports whether to leave out a file, by its path in the argument.
	Skip func(path string, info fs.FileInfo) bool
	// Root reads a directory as ".", the root of the test.
	Root bool
}

// Read reads files and trees. An entry has the clean relative path of its argument, or the last
// element of absolute and upward paths. Files of the current directory have no directory. Links
// are followed as arguments, otherwise kept, and must not leave their directory.
func (r *Reader) Read(args []string) (Tree, error) {
	var t Tree
	for _, arg := range args {
		name, err := nameOf(arg)
		if err != nil {
			return t, err
		}
		if r.Root {
			name = "."
		}
		t.Names = append(t.Names, name)
		if r.Source != nil {
			arg = r.Source(arg)
		}
		if err := r.read(&t, arg, name); err != nil {
			return t, err
		}
	}
	archive.Seal(t.Entries, r.Sealed)
	size := 0
	for _, e := range t.Entries {
		size += len(e.Content)
	}
	if size > math.MaxInt32/2 {
		return t, fmt.Errorf("the files are too large: together at most 1 GiB can be reduced")
	}
	return t, t.conflicts()
}

func nameOf(arg string) (string, error) {
	if name := filepath.Clean(arg); filepath.IsLocal(name) {
		return filepath.ToSlash(name), nil
	}
	absolute, err := filepath.Abs(arg)
	if err != nil {
		return "", fmt.Errorf("cannot find %s: %w", arg, err)
	}
	if absolute == "/" {
		return "", fmt.Errorf("%s is the root of the file system; name a directory in it", arg)
	}
	return filepath.Base(absolute), nil
}

func (r *Reader) read(t *Tree, arg, name string) error {
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		return r.readDirectory(t, arg, name)
	}
	text, info, err := ReadFile(arg, "to reduce")
	if err != nil {
		return err
	}
	e := archive.Entry{Path: name, Mode: info.Mode().Perm(), Content: text, Language: r.Language(name, text)}
	t.Entries = append(t.Entries, e)
	return nil
}

// readDirectory reads by an os.Root, which no link can leave.
func (r *Reader) readDirectory(t *Tree, arg, name string) error {
	root, err := os.OpenRoot(arg)
	if err != nil {
		return fmt.Errorf("cannot read the directory to reduce: %w", err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(inside string, d fs.DirEntry, err error) error {
		shown := filepath.Join(arg, inside)
		var info fs.FileInfo
		if err == nil {
			info, err = d.Info()
		}
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", shown, err)
		}
		if inside != "." && (slices.Contains(project.VersionControl, d.Name()) || r.Skip(inside, info)) {
			t.Skipped = append(t.Skipped, shown)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		e := archive.Entry{Path: path.Join(name, inside), Mode: info.Mode() & (fs.ModeType | fs.ModePerm)}
		switch e.Mode.Type() {
		case fs.ModeDir:
			if e.Path == "." { // always there
				return nil
			}
		case fs.ModeSymlink:
			if e.Link, err = root.Readlink(inside); err == nil {
				err = staysInside(root, inside, e.Link)
			}
			if err != nil {
				return fmt.Errorf("%s is a symbolic link to %s: %w", shown, e.Link, err)
			}
		case 0:
			if e.Content, err = root.ReadFile(inside); err != nil {
				return fmt.Errorf("cannot read %s: %w", shown, err)
			}
			e.Language = r.Language(e.Path, e.Content)
		default:
			return fmt.Errorf("%s is neither a file, a directory nor a symbolic link; "+
				"reduce a copy of the directory without it", shown)
		}
		t.Entries = append(t.Entries, e)
		return nil
	})
}

// staysInside checks that a link's target, existing or not, is in the root.
func staysInside(root *os.Root, name, target string) error {
	leaves := errors.New("it leaves the directory to reduce, and a test could change its target; " +
		"replace it by a copy of the target")
	if filepath.IsAbs(target) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), target)) {
		return leaves
	}
	_, err := root.Stat(name)
	for _, nowhere := range []error{nil, fs.ErrNotExist, syscall.ELOOP, syscall.ENOTDIR} {
		if errors.Is(err, nowhere) {
			return nil
		}
	}
	return leaves // through another link
}

// conflicts refuses entries with the same path, or below a file.
func (t *Tree) conflicts() error {
	isDir := map[string]bool{}
	for _, e := range t.Entries {
		if _, twice := isDir[e.Path]; twice {
			return fmt.Errorf("two of the files to reduce would have the name %s; name each once, "+
				"by its path from the current directory", e.Path)
		}
		isDir[e.Path] = e.Mode.IsDir()
	}
	for _, e := range t.Entries {
		for dir := path.Dir(e.Path); dir != "."; dir = path.Dir(dir) {
			if is, known := isDir[dir]; known && !is {
				return fmt.Errorf("%s would be below %s, which is not a directory; "+
					"name each by its path from the current directory",
					e.Path, dir)
			}
		}
	}
	return nil
}
