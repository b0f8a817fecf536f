package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"whittle/internal/disk"
	"whittle/oracle"
	"whittle/parse/archive"
)

// A claimed path is replaced atomically, many times, by one whittle only.
//
// The next content is prepared in .NAME.whittle, a private directory with a lock file and no
// files of the user. A killed run leaves it; the next claim empties it.
//
// Invariant: content neither written by Put nor passed to Took is moved aside, never overwritten
// or removed.
type claimed struct {
	// Aside is called after foreign content moved aside.
	Aside func(kept string)
	// Puts is called before complete new content moves to the path.
	Puts func(digest)

	path string
	dir  string
	lock *os.File
	ours digest

	original string // path to which the next Put moves the content; may be empty
	model    string // gives new files its owners; may be empty
}

// claimPath claims a path without touching it. The error wraps disk.ErrInUse if another process
// has it.
func claimPath(path string) (*claimed, error) {
	path = filepath.Clean(path)
	dir, base := filepath.Split(path)
	p := &claimed{path: path, dir: disk.JoinName(dir, ".", base, ".whittle")}
	p.Aside, p.Puts = func(string) {}, func(digest) {}
	return p, p.claim()
}

func (p *claimed) claim() error {
	for {
		if err := os.Mkdir(p.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := os.Lstat(p.dir)
		if errors.Is(err, fs.ErrNotExist) { // its owner has removed it
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			return fmt.Errorf("%s exists but is not a directory of yours; move it away", p.dir)
		}
		p.lock, err = disk.Lock(p.inside("lock"))
		switch {
		case errors.Is(err, fs.ErrNotExist): // its owner is removing it
		case errors.Is(err, disk.ErrInUse):
			return fmt.Errorf("%s is %w", p.path, err)
		case err != nil:
			os.Remove(p.dir)
			return err
		default:
			return p.clear()
		}
	}
}

func (p *claimed) inside(name string) string { return filepath.Join(p.dir, name) }

func (p *claimed) clear() error {
	var failed error
	for _, name := range []string{"next", "old", "orig"} {
		failed = errors.Join(failed, disk.RemoveTree(p.inside(name)))
	}
	return failed
}

// Close ends the claim.
func (p *claimed) Close() error {
	if p.lock == nil {
		return nil
	}
	err := p.clear()
	os.Remove(p.inside("lock")) // while locked: no other process can use it
	os.Remove(p.dir)
	err = errors.Join(err, p.lock.Close())
	p.lock = nil
	return err
}

// There returns the digest of the path, of at most limit bytes.
func (p *claimed) There(limit int64) digest { return digestAt(p.path, limit) }

// Took declares only content with this digest as whittle's.
func (p *claimed) Took(s digest) { p.ours = s }

// KeepFile writes original atomically, or returns fs.ErrExist.
func (p *claimed) KeepFile(original string, content []byte, mode fs.FileMode) error {
	p.model = p.path
	err := p.there()
	if err == nil {
		err = p.write("orig", mode, content)
	}
	if err == nil {
		err = disk.Move(p.inside("orig"), original)
	}
	p.model = original
	return errors.Join(err, disk.SyncName(original), p.clear())
}

// KeepDirectory makes the next Put move the directory to original, which must not exist.
func (p *claimed) KeepDirectory(original string) { p.original, p.model = original, p.path }

// Like gives new files the owners of those in model, if the user may.
func (p *claimed) Like(model string) { p.model = model }

// there restores the private directory after a test removed it.
func (p *claimed) there() error {
	if _, err := os.Lstat(p.inside("lock")); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p.lock.Close()
	return p.claim()
}

// Put replaces the content by a directory with the entries or, without dir, by the first entry;
// without entries it removes the content. Equal content stays.
func (p *claimed) Put(dir bool, entries []archive.Entry) error {
	want := digestOf(dir, entries)
	if p.ours == want && p.original == "" && p.holds(want, dir, entries) {
		return nil
	}
	// A test may remove the directory meanwhile.
	for tries := 10; ; tries-- {
		err := p.there()
		if err == nil {
			err = p.make(dir, entries)
		}
		if err == nil {
			err = p.replace(want, dir, entries)
		}
		if err = errors.Join(err, p.clear()); !errors.Is(err, fs.ErrNotExist) || tries == 0 {
			return err
		}
	}
}

// holds reports whether the path has the entries and their permissions.
func (p *claimed) holds(want digest, dir bool, entries []archive.Entry) bool {
	return p.There(want.size) == want && hasModes(p.path, entries)
}

func hasModes(path string, entries []archive.Entry) bool {
	for _, e := range entries {
		if e.Mode.Type() == fs.ModeSymlink {
			continue
		}
		info, err := os.Lstat(filepath.Join(path, filepath.FromSlash(e.Path)))
		if err != nil || info.Mode().Perm() != e.Mode.Perm() {
			return false
		}
	}
	return true
}

func (p *claimed) make(dir bool, entries []archive.Entry) error {
	next := p.inside("next")
	if err := disk.RemoveTree(next); err != nil {
		return err
	}
	if !dir {
		if len(entries) == 0 {
			return nil
		}
		return p.write("next", entries[0].Mode.Perm(), entries[0].Content)
	}
	if err := os.Mkdir(next, 0o777); err != nil {
		return err
	}
	if err := oracle.WriteFiles(next, asFiles(entries)); err != nil {
		return err
	}
	if p.model == "" {
		return nil
	}
	// In place, the journal must know the content even after a power failure.
	return errors.Join(giveOwners(next, p.model), syncSystem(next))
}

// replace moves the prepared content to the path, or empties it.
func (p *claimed) replace(want digest, dir bool, entries []archive.Entry) error {
	there := digest{}
	if p.original == "" {
		if there = p.There(max(want.size, p.ours.size)); there == want && hasModes(p.path, entries) {
			p.ours = want
			return nil
		}
	}
	p.Puts(want)
	switch {
	case p.original != "":
		if err := disk.Move(p.path, p.original); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	case there != digest{} && there != p.ours && there != want:
		if err := p.moveAside(); err != nil {
			return err
		}
		there = digest{}
	}
	var err error
	switch next := p.inside("next"); {
	case want == digest{} && there == digest{}:
	case want == digest{}:
		err = os.Remove(p.path)
	case there != digest{} && dir:
		err = swap(p.path, next, p.inside("old"))
	default:
		err = os.Rename(next, p.path)
	}
	if err != nil {
		if p.original != "" {
			err = errors.Join(err, disk.Move(p.original, p.path))
		}
		return err
	}
	if p.original != "" {
		p.model, p.original = p.original, ""
		err = disk.SyncName(p.path)
	}
	p.ours = want
	return err
}

// Clear moves foreign content aside.
func (p *claimed) Clear() error {
	if there := p.There(p.ours.size); there == (digest{}) || there == p.ours {
		return nil
	}
	return p.moveAside()
}

func (p *claimed) moveAside() error {
	kept, err := disk.MoveAside(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		p.Aside(kept)
		err = disk.SyncName(kept)
	}
	return err
}

// write writes and syncs a private file; mode 0 is 0666 less the umask.
func (p *claimed) write(name string, mode fs.FileMode, content []byte) error {
	path := p.inside(name)
	first := fs.FileMode(0o600)
	if mode == 0 {
		first = 0o666
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, first)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if mode == 0 {
		return errors.Join(err, disk.Sync(f), f.Close())
	}
	if err == nil && p.model != "" {
		err = giveOwners(path, p.model)
	}
	return errors.Join(err, f.Chmod(mode), disk.Sync(f), f.Close())
}

// Sync syncs the content.
func (p *claimed) Sync(dir bool) error {
	if dir {
		return syncTree(p.path)
	}
	return disk.SyncName(p.path)
}

// swap exchanges two directories. Without exchange in the file system it renames twice, and the
// present one becomes old.
func swap(path, next, old string) error {
	err := exchange(path, next)
	if !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	if err := os.Rename(path, old); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return errors.Join(err, os.Rename(old, path))
	}
	return nil
}

// giveOwners copies the owners in model to a tree. Only root can do that; other users own both.
func giveOwners(path, model string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(path, file)
		if err != nil {
			return err
		}
		info, err := os.Lstat(filepath.Join(model, name))
		if err != nil {
			return nil // a new file
		}
		of := info.Sys().(*syscall.Stat_t)
		if of.Uid == uint32(os.Geteuid()) && of.Gid == uint32(os.Getegid()) {
			return nil
		}
		if err := os.Lchown(file, int(of.Uid), int(of.Gid)); err != nil {
			return err
		}
		if d.Type() == fs.ModeSymlink {
			return nil
		}
		made, err := d.Info() // chown clears some permission bits
		if err != nil {
			return err
		}
		return os.Chmod(file, made.Mode().Perm())
	})
}
