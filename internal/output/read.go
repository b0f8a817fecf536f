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

	"whittle/parse"
	"whittle/parse/archive"
)

// versionControl are the names of what programs for version control keep in a
// tree. It is large, no test needs it, and it must not be changed by hand.
var versionControl = []string{".git", ".hg", ".svn", ".bzr", ".jj", "CVS"}

// Tree is what has been read.
type Tree struct {
	Entries []archive.Entry // a directory before what is in it
	Names   []string        // under which path each argument was entered
	Skipped []string        // what was left out: version control, and what Skip says
}

// Reader reads files and directories.
type Reader struct {
	// Source returns the path that an argument is read from; nil is the argument.
	Source func(arg string) string
	// Language returns the language of a file.
	Language func(path string, content []byte) parse.Language
	// Skip reports which files in directories to leave out.
	Skip func(fs.FileInfo) bool
}

// Read reads files, and directories with all that is in them. A relative path
// that does not lead up is entered as it is, cleaned; of another the last name;
// what is in the current directory without a directory around it. A symbolic
// link that is an argument is followed, one in a directory is kept; it must
// not lead out of the directory. The errors are about the arguments: what does
// not exist, cannot be read, is neither file, directory nor link, or would have
// the name of another.
func (r *Reader) Read(args []string) (Tree, error) {
	var t Tree
	size := 0
	for _, arg := range args {
		name, err := nameOf(arg)
		if err != nil {
			return t, err
		}
		t.Names = append(t.Names, name)
		before := len(t.Entries)
		if r.Source != nil {
			arg = r.Source(arg)
		}
		if err := r.read(&t, arg, name); err != nil {
			return t, err
		}
		for _, e := range t.Entries[before:] {
			size += len(e.Content)
		}
		if size > math.MaxInt32/2 {
			return t, fmt.Errorf("the files are too large: together at most 1 GiB can be reduced")
		}
	}
	return t, t.conflicts()
}

// nameOf returns the path under which an argument is entered.
func nameOf(arg string) (string, error) {
	if name := filepath.Clean(arg); filepath.IsLocal(name) {
		return filepath.ToSlash(name), nil
	}
	absolute, err := filepath.Abs(arg)
	if err != nil {
		return "", fmt.Errorf("cannot find %s: %w", arg, err)
	}
	if absolute == "/" {
		return "", fmt.Errorf("%s is all there is; name a directory in it", arg)
	}
	return filepath.Base(absolute), nil
}

func (r *Reader) read(t *Tree, arg, name string) error {
	info, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s to reduce", arg)
	case err != nil:
		return fmt.Errorf("cannot read what to reduce: %w", err)
	case info.IsDir():
		return r.readDirectory(t, arg, name)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a directory; copy it to a file to reduce it", arg)
	}
	text, err := os.ReadFile(arg)
	if err != nil {
		return fmt.Errorf("cannot read the file to reduce: %w", err)
	}
	e := archive.Entry{Path: name, Mode: info.Mode().Perm(), Content: text, Language: r.Language(name, text)}
	t.Entries = append(t.Entries, e)
	return nil
}

// readDirectory enters a directory, by an os.Root, which nothing leads out of.
func (r *Reader) readDirectory(t *Tree, arg, name string) error {
	root, err := os.OpenRoot(arg)
	if err != nil {
		return fmt.Errorf("cannot read the directory to reduce: %w", err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(inside string, d fs.DirEntry, err error) error {
		shown := filepath.Join(arg, inside)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", shown, err)
		}
		info, err := d.Info()
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", shown, err)
		}
		if inside != "." && (slices.Contains(versionControl, d.Name()) || r.Skip(info)) {
			t.Skipped = append(t.Skipped, shown)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		e := archive.Entry{Path: path.Join(name, inside), Mode: info.Mode() & (fs.ModeType | fs.ModePerm)}
		switch e.Mode.Type() {
		case fs.ModeDir:
			if e.Path == "." { // is there anyway
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

// staysInside checks that a link leads to something in the root, or would if
// that was there.
func staysInside(root *os.Root, name, target string) error {
	leaves := errors.New("that leaves the directory to reduce, and a test could change what is there; " +
		"replace it by what it points to")
	if filepath.IsAbs(target) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), target)) {
		return leaves
	}
	_, err := root.Stat(name)
	for _, nowhere := range []error{nil, fs.ErrNotExist, syscall.ELOOP, syscall.ENOTDIR} {
		if errors.Is(err, nowhere) {
			return nil
		}
	}
	return leaves // by way of another link
}

// conflicts finds two entries that would have the same path, or of which one
// would be below another that is no directory of its own.
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
				return fmt.Errorf("%s would be below %s, which is no directory; name each by its path from the current directory",
					e.Path, dir)
			}
		}
	}
	return nil
}
