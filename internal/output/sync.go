package output

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/internal/disk"
)

// syncTree syncs a tree and its name.
func syncTree(path string) error { return errors.Join(syncAll(path), disk.SyncName(path)) }

// syncAll syncs the readable files of a tree.
func syncAll(path string) error {
	var failed error
	filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.IsDir() || d.Type().IsRegular()) {
			failed = errors.Join(failed, syncOne(path))
		}
		return nil
	})
	return failed
}

func syncOne(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	return errors.Join(disk.Sync(f), f.Close())
}

func contentReader(content []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(content)) }
