package local

import (
	"bytes"
	"cmp"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// A kept directory has a candidate and the files that tests wrote. One test uses it at a time.
type kept struct {
	keeper      *Keeper
	builds      bool   // files that tests wrote stay
	around, dir string // as in test; around is "" before the first candidate

	laid    map[string]laid // files of the last candidate
	other   map[string]mark // files outside of candidates
	members map[string]int  // of directories with others; nil means unknown
	ended   time.Time       // of the last test

	over   []sandbox.Overlay // files outside of candidates
	copied uint64            // bytes of the other files that the next test finds
	first  uint64            // copied after the first test in a kept build
}

// laid is a file as it was written.
type laid struct {
	oracle.File
	mark
	fresh bool // a change soon after would leave the same mark
}

// A mark differs after each change of a file, as the kernel sets the time of change.
type mark struct {
	inode, size      uint64
	mode             uint32
	changed, written unix.Timespec
}

func markOf(path string) (mark, error) { return markAt(unix.AT_FDCWD, path) }

func markAt(dir int, path string) (mark, error) {
	var s unix.Stat_t
	err := unix.Fstatat(dir, path, &s, unix.AT_SYMLINK_NOFOLLOW)
	return mark{uint64(s.Ino), uint64(s.Size), uint32(s.Mode), s.Ctim, s.Mtim}, err
}

// tick is longer than the precision of times of files.
const tick = 10 * time.Millisecond

// lay turns the directory into the one for a candidate. inside has the paths of all candidates.
func (d *kept) lay(e *Executor, spec *oracle.Spec, files []oracle.File, inside []string) error {
	box, traced := e.Sandbox, []string(nil)
	if e.traced != nil {
		traced = sandbox.TraceDirs()
	}
	if d.laid != nil && (len(d.over) == 0 || box != nil && traced == nil) {
		if d.builds { // else a new source might be as old as the object that was made of its predecessor
			time.Sleep(time.Until(d.ended.Add(tick)))
		}
		if d.change(files, inside) == nil && (d.builds || forget(d.over) == nil) {
			return nil
		}
	}
	// For example, tests may have taken permissions away.
	if err := process.RemoveDirectory(d.around); err != nil {
		return err
	}
	d.laid, d.other, d.members, d.over = map[string]laid{}, map[string]mark{}, nil, nil
	d.copied, d.first = 0, 0
	err := os.MkdirAll(d.dir, 0o700)
	if err == nil && spec.Outside != nil {
		d.over, err = Surround(spec.Outside, d.dir, filepath.Join(d.around, changes), box, traced)
		err = cmp.Or(err, d.markOthers())
		d.copied = process.DiskUse(d.dir, math.MaxUint64)
	}
	if err = cmp.Or(err, oracle.WriteFiles(d.dir, files)); err != nil {
		return oracle.Errorf("cannot write the candidate: %w%s", err, process.Advice(err))
	}
	for _, f := range files {
		m, err := d.age(&f)
		if err != nil {
			return oracle.Errorf("cannot write the candidate: %w", err)
		}
		d.laid[f.Path] = laid{f, m, true}
	}
	return nil
}

// markOthers notes the files outside of candidates, before those of a candidate are there.
func (d *kept) markOthers() error {
	return filepath.WalkDir(d.dir, func(file string, _ fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(d.dir, file); name != "." && err == nil {
			d.other[name], err = markOf(file)
		}
		return err
	})
}

func (d *kept) path(name string) string { return filepath.Join(d.dir, name) }

// change turns the last candidate into another. After an error the directory must be written anew.
func (d *kept) change(files []oracle.File, inside []string) error {
	wanted := map[string]*oracle.File{}
	parents := map[string]bool{}
	for i := range files {
		wanted[files[i].Path] = &files[i]
		for dir := path.Dir(files[i].Path); !parents[dir]; dir = path.Dir(dir) {
			parents[dir] = true
		}
	}
	root, err := os.OpenRoot(d.dir) // tests may leave links that lead elsewhere
	if err != nil {
		return err
	}
	defer root.Close()
	if d.builds {
		if d.rewires(wanted) {
			return fs.ErrInvalid
		}
		err = d.removePaths(root, inside, wanted, parents)
	} else {
		err = d.removeOthers(root, ".", wanted, parents)
	}
	if err != nil {
		return err
	}
	for name := range d.laid {
		lock := path.Join(path.Dir(name), "Cargo.lock")
		if d.builds && path.Base(name) == "Cargo.toml" && wanted[lock] == nil {
			root.Remove(lock) // cargo would depend less on versions and on the network than in a clean build
		}
		if wanted[name] == nil {
			delete(d.laid, name)
		}
	}
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	for i := range files {
		if err := d.put(root, int(dir.Fd()), &files[i]); err != nil {
			return err
		}
	}
	return nil
}

// rewires reports whether a candidate changes a makefile, a shell script, or a vendored package of Rust. make and cargo
// do not rebuild after such a change.
func (d *kept) rewires(wanted map[string]*oracle.File) bool {
	for name, last := range d.laid {
		base := strings.ToLower(path.Base(name))
		script := strings.Contains(base, "makefile") || slices.Contains([]string{".mk", ".sh"}, path.Ext(base))
		for dir := path.Dir(name); !script && dir != "."; dir = path.Dir(dir) {
			_, script = d.laid[dir+"/.cargo-checksum.json"]
		}
		if now := wanted[name]; script && (now == nil || !bytes.Equal(now.Content, last.Content)) {
			return true
		}
	}
	return false
}

// removePaths removes the paths of other candidates. A directory goes with all files in it. A file goes with products
// of its name, such as an object that could be linked. Files outside stay.
func (d *kept) removePaths(
	root *os.Root, inside []string, wanted map[string]*oracle.File, parents map[string]bool,
) error {
	gone := map[string]bool{}
	for _, name := range inside {
		if wanted[name] != nil || parents[name] {
			continue
		}
		if _, err := root.Lstat(name); err == nil {
			if err := root.RemoveAll(name); err != nil {
				return err
			}
		}
		if _, known := d.laid[name]; known && stem(name) != "" {
			gone[stem(name)] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return filepath.WalkDir(d.dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !gone[stem(file)] {
			return err
		}
		name, err := filepath.Rel(d.dir, file)
		if _, isOther := d.other[name]; err == nil && wanted[name] == nil && !isOther {
			err = root.Remove(name)
		}
		return err
	})
}

func stem(name string) string {
	base, _, _ := strings.Cut(path.Base(name), ".")
	return base
}

// remove also removes compiled Python files, since Python compares times only to the second.
func remove(root *os.Root, name string) error {
	if stem, is := strings.CutSuffix(path.Base(name), ".py"); is {
		compiled, _ := fs.Glob(root.FS(), path.Join(path.Dir(name), "__pycache__", stem+".*.pyc"))
		for _, file := range compiled {
			root.Remove(file)
		}
	}
	return root.RemoveAll(name)
}

// removeOthers removes all other files in a directory. It returns an error if files outside of candidates have changed.
func (d *kept) removeOthers(root *os.Root, dir string, wanted map[string]*oracle.File, parents map[string]bool) error {
	entries, err := os.ReadDir(d.path(dir))
	if err != nil {
		return err
	}
	left := 0
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		before, isOther := d.other[name]
		switch {
		case isOther:
			now, err := markOf(d.path(name))
			if err != nil || now != before && (!e.IsDir() || now.mode != before.mode) {
				return fs.ErrInvalid
			}
			left++
		case wanted[name] == nil && !(parents[name] && e.IsDir()):
			if err := root.RemoveAll(name); err != nil {
				return err
			}
			continue
		}
		if e.IsDir() {
			if err := d.removeOthers(root, name, wanted, parents); err != nil {
				return err
			}
		}
	}
	return d.complete(dir, left)
}

// complete returns an error if a directory outside has lost files.
func (d *kept) complete(dir string, left int) error {
	if len(d.other) == 0 {
		return nil
	}
	if d.members == nil {
		d.members = map[string]int{}
		for name := range d.other {
			d.members[path.Dir(name)]++
		}
	}
	if d.members[dir] != left {
		return fs.ErrInvalid
	}
	return nil
}

// put writes a file unless it is there. dir is the open directory of root: that saves the walk to it.
func (d *kept) put(root *os.Root, dir int, f *oracle.File) error {
	now, err := markAt(dir, f.Path)
	last, known := d.laid[f.Path]
	there := err == nil
	same := there && known && last.Mode == f.Mode && last.Link == f.Link && bytes.Equal(last.Content, f.Content)
	if same && now == last.mark && !last.fresh {
		d.laid[f.Path] = laid{*f, now, false} // the last content can be freed
		return nil
	}
	same = same && now.mode == last.mode && (f.Mode.IsDir() || d.holds(root, f, now, last.mark))
	if !same {
		err = d.replace(root, f, there, now)
	}
	switch {
	case same || d.builds && err == nil: // a build needs a new time
		now, err = markAt(dir, f.Path)
	case err == nil:
		now, err = d.age(f)
	}
	d.laid[f.Path] = laid{*f, now, !same}
	return err
}

// age gives a file the same time in each candidate, and returns its mark.
func (d *kept) age(f *oracle.File) (mark, error) {
	file := d.path(f.Path)
	if f.Mode.IsRegular() {
		if err := os.Chtimes(file, d.keeper.old, d.keeper.old); err != nil {
			return mark{}, err
		}
	}
	return markOf(file)
}

func (d *kept) replace(root *os.Root, f *oracle.File, there bool, now mark) (err error) {
	isDir := there && now.mode&unix.S_IFMT == unix.S_IFDIR
	switch {
	case isDir && f.Mode.IsDir():
	case there:
		err = remove(root, f.Path)
	default:
		err = root.MkdirAll(path.Dir(f.Path), 0o777)
	}
	if err != nil || !f.Mode.IsDir() {
		return cmp.Or(err, f.Write(root))
	}
	if !isDir {
		err = root.Mkdir(f.Path, 0o700)
	}
	return cmp.Or(err, root.Chmod(f.Path, f.Mode.Perm()))
}

// holds reports whether a file or link is as it was laid. Its time counts unless a build may change it.
func (d *kept) holds(root *os.Root, f *oracle.File, now, last mark) bool {
	if now.size != last.size || !d.builds && now.written != last.written {
		return false
	}
	if f.Mode.Type() == fs.ModeSymlink {
		link, err := root.Readlink(f.Path)
		return err == nil && link == f.Link
	}
	content, err := root.ReadFile(f.Path)
	return err == nil && bytes.Equal(content, f.Content)
}
