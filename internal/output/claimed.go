package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"whittle/internal/disk"
	"whittle/internal/sidecar"
	"whittle/oracle"
	"whittle/parse/archive"
)

// A claimed path is one at which a file or a directory is put again and again, each
// in one step, and by one whittle at a time.
//
// What is to come there is made in a directory beside it, .NAME.whittle, which
// only this user can enter. A lock in it says that the place is claimed. A run that
// was killed leaves the directory, and the next claim clears it; nothing of the
// user's is ever in it.
//
// Invariant: what is at the path and was not put there, nor taken for ours by
// Took, is never overwritten or removed, but moved aside.
type claimed struct {
	// Aside is told where what was at the path is kept, if it was not ours.
	Aside func(kept string)
	// Puts is called with what is about to come to the path, once it is whole; not
	// if it is there already.
	Puts func(digest)

	path string
	dir  string // .NAME.whittle
	lock *os.File
	ours digest // what of ours is at the path

	original string // where what is at the path is to be kept as it is at the next Put; "" if it is not
	model    string // whose owners the new files get; "" for none
}

// claimPath claims a path. The error wraps disk.ErrInUse if another process has
// claimed it. Nothing at the path is touched.
func claimPath(path string) (*claimed, error) {
	path = filepath.Clean(path)
	dir, base := filepath.Split(path)
	p := &claimed{path: path, dir: sidecar.Path(dir, ".", base, ".whittle"), Aside: func(string) {}, Puts: func(digest) {}}
	return p, p.claim()
}

// claim makes the directory ours, and empty.
func (p *claimed) claim() error {
	for {
		if err := os.Mkdir(p.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := os.Lstat(p.dir)
		if errors.Is(err, fs.ErrNotExist) { // the one that had it has gone
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			return fmt.Errorf("%s is in the way, and no directory of yours; move it away", p.dir)
		}
		p.lock, err = disk.Lock(p.inside("lock"))
		switch {
		case errors.Is(err, fs.ErrNotExist): // the one that had it goes just now
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

// clear removes what is half made.
func (p *claimed) clear() error {
	var failed error
	for _, name := range []string{"next", "old", "orig"} {
		failed = errors.Join(failed, disk.RemoveTree(p.inside(name)))
	}
	return failed
}

// Close gives the place up.
func (p *claimed) Close() error {
	if p.lock == nil {
		return nil
	}
	err := p.clear()
	os.Remove(p.inside("lock")) // while it is locked, so that nobody else works with it
	os.Remove(p.dir)
	err = errors.Join(err, p.lock.Close())
	p.lock = nil
	return err
}

// There returns the sum of what is at the path, if that has at most limit bytes.
func (p *claimed) There(limit int64) digest { return digestAt(p.path, limit) }

// Took makes what has that sum ours: it may be replaced. Nobody else's is then.
func (p *claimed) Took(s digest) { p.ours = s }

// KeepFile keeps a file's content at the path original, as a file that is written
// in one step. What is there already stays, and the error is fs.ErrExist.
func (p *claimed) KeepFile(original string, content []byte, mode fs.FileMode) error {
	p.model = p.path
	err := p.there()
	if err == nil {
		err = p.write("orig", mode, content)
	}
	if err == nil {
		err = sidecar.Move(p.inside("orig"), original)
	}
	p.model = original
	return errors.Join(err, sidecar.SyncName(original), p.clear())
}

// KeepDirectory has the next Put move the directory at the path to the path
// original, where there must be nothing.
func (p *claimed) KeepDirectory(original string) { p.original, p.model = original, p.path }

// Like gives new files the owners of what is at the path model, if this user may
// do that.
func (p *claimed) Like(model string) { p.model = model }

// there makes the directory anew if a test has removed it.
func (p *claimed) there() error {
	if _, err := os.Lstat(p.inside("lock")); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p.lock.Close()
	return p.claim()
}

// Put makes entries be at the path, as a directory or, if dir is not set, as the
// file that the first is; nothing is if there is none. If they are there already,
// nothing happens.
func (p *claimed) Put(dir bool, entries []archive.Entry) error {
	want := digestOf(dir, entries)
	if p.ours == want && p.original == "" && p.holds(want, dir, entries) {
		return nil
	}
	// A test that runs now may remove what is made.
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

// holds reports whether entries are at the path as they are to be.
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

// make makes what is to come to the path.
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
	// In place what is there must be known for ours also after a failure of power.
	return errors.Join(giveOwners(next, p.model), syncSystem(next))
}

// replace puts what was made at the path, or removes what is there.
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
		if err := sidecar.Move(p.path, p.original); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
			err = errors.Join(err, sidecar.Move(p.original, p.path))
		}
		return err
	}
	if p.original != "" {
		p.model, p.original = p.original, ""
		err = sidecar.SyncName(p.path)
	}
	p.ours = want
	return err
}

// Clear moves what is at the path aside if it is not ours.
func (p *claimed) Clear() error {
	if there := p.There(p.ours.size); there == (digest{}) || there == p.ours {
		return nil
	}
	return p.moveAside()
}

func (p *claimed) moveAside() error {
	kept, err := sidecar.Aside(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		p.Aside(kept)
		err = sidecar.SyncName(kept)
	}
	return err
}

// write writes a file into the directory, so that it stays if the power fails. The mode 0 is that of
// a new file.
func (p *claimed) write(name string, mode fs.FileMode, content []byte) error {
	path := p.inside(name)
	first := fs.FileMode(0o600)
	if mode == 0 {
		first = 0o666 // less what the system takes away
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, first)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if mode == 0 {
		return errors.Join(err, sidecar.Sync(f), f.Close())
	}
	if err == nil && p.model != "" {
		err = giveOwners(path, p.model)
	}
	return errors.Join(err, f.Chmod(mode), sidecar.Sync(f), f.Close())
}

// Sync makes what was put at the path stay if the power fails.
func (p *claimed) Sync(dir bool) error {
	if dir {
		return syncTree(p.path)
	}
	return sidecar.SyncName(p.path)
}

// swap puts the directory next in the place of path, and path in its, or in that
// of old where the file system cannot exchange two.
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

// giveOwners gives a file, or a directory with all that is in it, the owners of
// the model. Only root can; for others, who own both, there is nothing to do.
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
			return nil // made anew
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
		made, err := d.Info() // as the system takes some permissions away
		if err != nil {
			return err
		}
		return os.Chmod(file, made.Mode().Perm())
	})
}
