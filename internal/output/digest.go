package output

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"whittle/parse/archive"
)

// A digest identifies a file or tree by names, kinds, contents and link targets, without
// permissions. Zero means a missing file.
type digest struct {
	size int64 // of all contents; -1 if unknown
	hash [sha256.Size]byte
}

// unknown is the digest of an unreadable or too large tree, and equals no other.
var unknown = digest{size: -1}

// Bytes returns the hash, for the journal.
func (s digest) Bytes() []byte { return s.hash[:] }

type item struct {
	name string
	kind fs.FileMode
	size int64
	link string
	open func() (io.ReadCloser, error)
}

// digestOf returns the digest of the content that [claimed.Put] writes.
func digestOf(dir bool, entries []archive.Entry) digest {
	if !dir && len(entries) == 0 {
		return digest{}
	}
	var items []item
	made := map[string]bool{}
	enter := func(i item) {
		if !made[i.name] {
			made[i.name] = true
			items = append(items, i)
		}
	}
	if dir {
		enter(item{name: ".", kind: fs.ModeDir})
	}
	for _, e := range entries {
		for up := path.Dir(e.Path); up != "."; up = path.Dir(up) {
			enter(item{name: up, kind: fs.ModeDir})
		}
		i := item{name: e.Path, kind: e.Mode.Type(), link: e.Link}
		if e.Mode.IsRegular() {
			i.size = int64(len(e.Content))
			i.open = func() (io.ReadCloser, error) { return contentReader(e.Content), nil }
		}
		enter(i)
	}
	return sum(items)
}

// digestAt returns the digest of path; unknown above limit bytes.
func digestAt(path string, limit int64) digest {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return digest{}
	}
	var items []item
	size := int64(0)
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(path, file)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		i := item{name: filepath.ToSlash(name), kind: info.Mode().Type()}
		switch {
		case i.kind == fs.ModeSymlink:
			i.link, err = os.Readlink(file)
		case info.Mode().IsRegular():
			i.size = info.Size()
			i.open = func() (io.ReadCloser, error) { return os.Open(file) }
		}
		if size += i.size; size > limit {
			return errTooMuch
		}
		items = append(items, i)
		return err
	})
	if err != nil {
		return unknown
	}
	return sum(items)
}

var errTooMuch = errors.New("too large")

func sum(items []item) digest {
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.name, b.name) })
	h := sha256.New()
	var s digest
	for _, i := range items {
		fmt.Fprintf(h, "%q %v %q %d\n", i.name, i.kind, i.link, i.size)
		s.size += i.size
		if i.open == nil {
			continue
		}
		f, err := i.open()
		if err != nil {
			return unknown
		}
		n, err := io.Copy(h, io.LimitReader(f, i.size))
		if f.Close(); err != nil || n < i.size { // growing files differ in size
			return unknown
		}
	}
	h.Sum(s.hash[:0])
	return s
}
