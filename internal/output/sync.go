package output

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/internal/sidecar"
)

// Sync makes what is in the directory stay if the power fails, and its name.
func syncTree(path string) error { return errors.Join(syncAll(path), sidecar.SyncName(path)) }

// syncAll makes what is in the directory stay.
func syncAll(path string) error {
	var failed error
	filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.IsDir() || d.Type().IsRegular()) {
			failed = errors.Join(failed, syncOne(path))
		}
		return nil // what cannot be read is not synced
	})
	return failed
}

func syncOne(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	return errors.Join(sidecar.Sync(f), f.Close())
}

func contentReader(content []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(content)) }
