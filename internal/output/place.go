package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"whittle/internal/disk"
	"whittle/parse/archive"
)

// A place is a file or directory that one whittle replaces atomically, many times.
//
// The next content is prepared in .NAME.whittle, a private directory with a lock file. A killed run
// leaves it; the next claim empties it.
//
// Invariant: content other than ours is moved aside, never overwritten or removed.
type place struct {
	path  string
	isDir bool
	name  string // of its entry in the input; "." for all
	kept  bool   // an earlier run kept the original

	reports []string // names of files that are added to the directory

	aside func(kept string) // called after foreign content moved aside
	puts  func(digest)      // called before complete new content moves to the path

	private  string   // the directory
	lock     *os.File // nil while not claimed
	ours     digest
	edited   string // path of other content that was moved from a file of ours; may be empty
	original string // path to which the next Put moves the content; may be empty
	model    string // gives new files its owners, if the user may; may be empty
}

func newPlace(path string, isDir bool) *place {
	path = filepath.Clean(path)
	dir, base := filepath.Split(path)
	return &place{
		path: path, isDir: isDir, name: ".", private: disk.JoinName(dir, ".", base, ".whittle"),
		aside: func(string) {}, puts: func(digest) {},
	}
}

// claim locks the path without touching it. The error wraps disk.ErrInUse if another process has it.
func (p *place) claim() error {
	for {
		if err := os.Mkdir(p.private, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := os.Lstat(p.private)
		if errors.Is(err, fs.ErrNotExist) { // its owner has removed it
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			return fmt.Errorf("%s exists but is not a directory of yours; move it away", p.private)
		}
		p.lock, err = disk.Lock(p.inside("lock"))
		switch {
		case errors.Is(err, fs.ErrNotExist): // its owner is removing it
		case errors.Is(err, disk.ErrInUse):
			return fmt.Errorf("%s is %w", p.path, err)
		case err != nil:
			os.Remove(p.private)
			return err
		default:
			return p.clear()
		}
	}
}

func (p *place) inside(name string) string { return filepath.Join(p.private, name) }

func (p *place) clear() error {
	var failed error
	for _, name := range []string{"next", "old", "orig"} {
		failed = errors.Join(failed, disk.RemoveTree(p.inside(name)))
	}
	return failed
}

// reclaim restores the private directory after a test removed it.
func (p *place) reclaim() error {
	if _, err := os.Lstat(p.inside("lock")); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p.lock.Close()
	return p.claim()
}

func (p *place) release() error {
	if p.lock == nil {
		return nil
	}
	err := p.clear()
	os.Remove(p.inside("lock")) // while locked: no other process can use it
	os.Remove(p.private)
	err = errors.Join(err, p.lock.Close())
	p.lock = nil
	return err
}

// below returns an entry's relative path; "" outside of the place.
func (p *place) below(e archive.Entry) string {
	switch rest, ok := strings.CutPrefix(e.Path, p.name+"/"); {
	case p.name == ".":
		return e.Path
	case e.Path == p.name:
		return "."
	case ok:
		return rest
	}
	return ""
}

func (p *place) part(entries []archive.Entry) []archive.Entry {
	var inside []archive.Entry
	for _, e := range entries {
		if name := p.below(e); name != "" {
			e.Path = name
			inside = append(inside, e)
		}
	}
	return inside
}

func (p *place) sum(entries []archive.Entry) digest { return digestOf(p.isDir, p.part(entries)) }

func (p *place) present(limit int64) digest { return digestAt(p.path, limit, p.reports...) }

func (p *place) moveAside() error {
	kept, err := disk.MoveAside(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		if p.ours != (digest{}) {
			p.edited = kept
		}
		p.aside(kept)
		err = disk.SyncName(kept)
	}
	return err
}

// holdsOnly checks that the directory has only names of an earlier result, or a report of whittle.
func (p *place) holdsOnly(entries []archive.Entry) error {
	known := map[string]bool{".": true}
	for _, name := range p.reports {
		path := filepath.Join(p.path, name)
		if text, err := disk.ReadPlain(path); err == nil && (Report{Path: path}).isOurs(text) {
			return nil
		}
	}
	for _, e := range entries {
		for name := p.below(e); name != "" && !known[name]; name = filepath.Dir(name) {
			known[name] = true
		}
	}
	return filepath.WalkDir(p.path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return cannotWrite(p.path, err)
		}
		if name, err := filepath.Rel(p.path, path); err != nil || !known[filepath.ToSlash(name)] {
			return fmt.Errorf("%s holds %s, which is not one of the files to reduce and would be lost; "+
				"choose another directory with -o",
				p.path, path)
		}
		return nil
	})
}
