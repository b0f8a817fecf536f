package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// RemoveTree removes dir with its contents, even without permissions. It retries for half a second,
// because a killed process may still finish a system call. A missing directory is no error. Mounts
// are detached or an error; mounted files are never removed.
func RemoveTree(dir string) error {
	err := removeOnce(dir)
	for pause := time.Millisecond; err != nil && pause < 500*time.Millisecond; pause *= 2 {
		time.Sleep(pause)
		err = removeOnce(dir)
	}
	return err
}

// deepest limits the open nested directories.
const deepest = 32

// A removal empties top. Directories nested deeper than deepest move into top first, so that few are
// open.
//
// Invariant: a mount point is never opened. rmdir fails on it with EBUSY, not ENOTEMPTY.
type removal struct {
	top   *os.File
	moved int // of the last moved directory
}

func removeOnce(dir string) error {
	if err := unmountAt(dir); err != nil {
		return err
	}
	top, err := openDirectory(unix.AT_FDCWD, dir)
	switch err {
	case nil:
		defer top.Close()
		r := removal{top: top}
		if err := r.empty(top, 0); err != nil {
			return err
		}
	case unix.ENOENT, unix.ENOTDIR, unix.ELOOP:
	default:
		return &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// batch is the number of names of a read.
const batch = 1024

func (r *removal) empty(d *os.File, depth int) error {
	for {
		names, err := d.Readdirnames(batch)
		if len(names) == 0 && (err == nil || err == io.EOF) {
			return nil
		}
		if err != nil {
			return r.failed("read", ".", err)
		}
		for _, name := range names {
			if err := r.remove(d, name, depth); err != nil {
				return err
			}
		}
		// Removals may hide other entries from a read.
		if _, err := d.Seek(0, io.SeekStart); err != nil {
			return r.failed("read", ".", err)
		}
	}
}

// remove removes an entry of d, or moves it into top.
func (r *removal) remove(d *os.File, name string, depth int) error {
	at := int(d.Fd())
	err := unlink(at, name)
	if err == unix.EBUSY {
		if err := unmountBelow(r.top.Name()); err != nil {
			return err
		}
		err = unlink(at, name)
	}
	if err == unix.ENOTEMPTY || err == unix.EEXIST {
		if depth == deepest {
			return r.move(at, name)
		}
		var inner *os.File
		if inner, err = openDirectory(at, name); err == nil {
			err = r.empty(inner, depth+1)
			inner.Close()
			if err != nil {
				return err
			}
			err = unlink(at, name)
		}
	}
	if err != nil && err != unix.ENOENT {
		return r.failed("remove", name, err)
	}
	return nil
}

func (r *removal) move(at int, name string) error {
	top := int(r.top.Fd())
	var to string
	for there := error(nil); there == nil; { // rename replaces empty directories
		r.moved++
		to = fmt.Sprintf("whittle-moved-%d", r.moved)
		var s unix.Stat_t
		there = unix.Fstatat(top, to, &s, unix.AT_SYMLINK_NOFOLLOW)
	}
	err := unix.Renameat(at, name, top, to)
	if err == unix.EACCES { // the directory itself is read-only
		unix.Fchmodat(at, name, 0o700, 0)
		err = unix.Renameat(at, name, top, to)
	}
	if err != nil {
		return r.failed("move", name, err)
	}
	return nil
}

func unlink(at int, name string) error {
	err := unix.Unlinkat(at, name, 0)
	if err == unix.EISDIR || err == unix.EPERM {
		return unix.Unlinkat(at, name, unix.AT_REMOVEDIR)
	}
	return err
}

func (r *removal) failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: filepath.Join(r.top.Name(), "...", name), Err: err}
}

// openDirectory opens a directory and makes it writable.
func openDirectory(at int, name string) (*os.File, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(at, name, flags, 0)
	if err == unix.EACCES && unix.Fchmodat(at, name, 0o700, 0) == nil {
		fd, err = unix.Openat(at, name, flags, 0)
	}
	if err != nil {
		return nil, err
	}
	var s unix.Stat_t
	if unix.Fstat(fd, &s) == nil && s.Mode&0o700 != 0o700 {
		unix.Fchmod(fd, 0o700)
	}
	return os.NewFile(uintptr(fd), name), nil
}
