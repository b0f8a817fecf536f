package output

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"whittle/internal/disk"
	"whittle/parse/archive"
)

// A digest identifies a file or tree by names, kinds, contents and link targets, without permissions.
// Zero means a missing file.
type digest struct {
	size int64 // of all contents; -1 if unknown
	hash [sha256.Size]byte
}

// unknown is the digest of an unreadable or too large tree. It equals no other, and no journal
// owns it.
var unknown = digest{size: -1, hash: [sha256.Size]byte{1}}

// digestOf returns the digest of the content that Put writes.
func digestOf(isDir bool, entries []archive.Entry) digest {
	if !isDir && len(entries) == 0 {
		return digest{}
	}
	var all []archive.Entry
	made := map[string]bool{}
	enter := func(e archive.Entry) {
		if !made[e.Path] {
			made[e.Path] = true
			all = append(all, e)
		}
	}
	if isDir {
		enter(archive.Entry{Path: ".", Mode: fs.ModeDir})
	}
	for _, e := range entries {
		for up := path.Dir(e.Path); up != "."; up = path.Dir(up) {
			enter(archive.Entry{Path: up, Mode: fs.ModeDir})
		}
		enter(e)
	}
	return sum(all)
}

// digestAt returns the digest of a path without unchanged reports of these names; unknown above limit bytes.
func digestAt(path string, limit int64, reports ...string) digest {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return digest{}
	}
	var all []archive.Entry
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(path, file)
		if err != nil {
			return err
		}
		e := archive.Entry{Path: filepath.ToSlash(name), Mode: d.Type()}
		if slices.Contains(reports, e.Path) {
			if text, err := disk.ReadPlain(file); err == nil && (Report{Path: file}).isOurs(text) {
				return nil
			}
		}
		switch {
		case d.Type() == fs.ModeSymlink:
			e.Link, err = os.Readlink(file)
		case d.Type().IsRegular():
			e.Content, err = readAtMost(file, limit)
			limit -= int64(len(e.Content))
		}
		all = append(all, e)
		return err
	})
	if err != nil {
		return unknown
	}
	return sum(all)
}

func sum(entries []archive.Entry) digest {
	slices.SortFunc(entries, func(a, b archive.Entry) int { return cmp.Compare(a.Path, b.Path) })
	h := sha256.New()
	var s digest
	for _, e := range entries {
		fmt.Fprintf(h, "%q %v %q %d\n", e.Path, e.Mode.Type(), e.Link, len(e.Content))
		h.Write(e.Content)
		s.size += int64(len(e.Content))
	}
	h.Sum(s.hash[:0])
	return s
}
