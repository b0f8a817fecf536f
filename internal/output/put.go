package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"whittle/internal/disk"
	"whittle/oracle"
	"whittle/parse/archive"
)

// keepFile writes original atomically, or returns fs.ErrExist.
func (p *place) keepFile(original string, content []byte, mode fs.FileMode) error {
	p.model = p.path
	err := p.reclaim()
	if err == nil {
		err = p.write("orig", mode, content)
	}
	if err == nil {
		err = disk.Move(p.inside("orig"), original)
	}
	p.model = original
	return errors.Join(err, disk.SyncName(original), p.clear())
}

// keepDirectory makes the next Put move the directory to original, which must not exist.
func (p *place) keepDirectory(original string) { p.original, p.model = original, p.path }

// Put replaces the content by a directory with the entries, or a file by the first entry. Without
// entries it removes a file. Equal content stays.
func (p *place) Put(entries []archive.Entry) error {
	want := digestOf(p.isDir, entries)
	if p.ours == want && p.original == "" && p.present(want.size) == want && p.hasModes(entries) {
		return nil
	}
	// A test may remove the directory meanwhile.
	for tries := 10; ; tries-- {
		err := p.reclaim()
		if err == nil {
			err = p.prepare(entries)
		}
		if err == nil {
			err = p.replace(want, entries)
		}
		if err = errors.Join(err, p.clear()); !errors.Is(err, fs.ErrNotExist) || tries == 0 {
			return err
		}
	}
}

func (p *place) hasModes(entries []archive.Entry) bool {
	for _, e := range entries {
		if e.Mode.Type() == fs.ModeSymlink {
			continue
		}
		info, err := os.Lstat(filepath.Join(p.path, filepath.FromSlash(e.Path)))
		if err != nil || info.Mode().Perm() != e.Mode.Perm() {
			return false
		}
	}
	return true
}

func (p *place) prepare(entries []archive.Entry) error {
	next := p.inside("next")
	if err := disk.RemoveTree(next); err != nil {
		return err
	}
	if !p.isDir {
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

func (p *place) replace(want digest, entries []archive.Entry) error {
	there := p.present(max(want.size, p.ours.size))
	if p.original == "" && there == want && p.hasModes(entries) {
		p.ours = want
		return nil
	}
	p.puts(want)
	switch {
	case p.original != "":
		if err := disk.Move(p.path, p.original); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		there = digest{}
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
	case there != digest{} && p.isDir:
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

// Mode 0 is 0666 less the umask.
func (p *place) write(name string, mode fs.FileMode, content []byte) error {
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
	if err == nil && mode != 0 && p.model != "" {
		err = giveOwners(path, p.model)
	}
	if mode != 0 {
		err = errors.Join(err, f.Chmod(mode))
	}
	return errors.Join(err, disk.Sync(f), f.Close())
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
