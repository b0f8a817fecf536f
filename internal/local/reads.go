package local

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Reads finds the files that a test of one candidate reads, by their access times. Other programs do not count. Unlike
// inotify, access times cover hard links and renamed directories, have no limits, and exist on every system.
type Reads struct {
	Of   []byte   // the candidate
	Argv []string // as in [oracle.Spec]

	mu    sync.Mutex
	found map[string]bool
}

// Found returns the paths of the files; nil means that they are unknown, as on a file system without access times.
func (r *Reads) Found() map[string]bool {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.found
}

// unread is an access time that any read changes, even with the mount option relatime.
var unread = time.Unix(1, 0)

// watch gives the files in dir a special access time. The function that it returns looks for other times.
func (r *Reads) watch(dir string, argv []string, candidate []byte) (ended func()) {
	if r == nil || r.Found() != nil || !slices.Equal(argv, r.Argv) || !bytes.Equal(candidate, r.Of) {
		return func() {}
	}
	var files []string
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && os.Chtimes(path, unread, time.Time{}) == nil {
			files = append(files, path)
		}
		return nil
	})
	return func() {
		found := map[string]bool{}
		for _, path := range files {
			var now unix.Stat_t
			if unix.Lstat(path, &now) == nil && now.Atim.Sec == unread.Unix() {
				continue
			}
			if name, err := filepath.Rel(dir, path); err == nil { // it may be gone, or another file now
				found[filepath.ToSlash(name)] = true
			}
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.found == nil && len(found) > 0 {
			r.found = found
		}
	}
}
