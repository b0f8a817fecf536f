package output

import (
	"errors"
	"io/fs"
	"path/filepath"

	"whittle/internal/disk"
)

// sync syncs the content and its name. Files were synced by Put.
func (p *place) sync() error {
	err := disk.SyncName(p.path)
	if p.isDir {
		err = errors.Join(syncAll(p.path), err)
	}
	return err
}

func syncAll(path string) error {
	var failed error
	filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.IsDir() || d.Type().IsRegular()) {
			failed = errors.Join(failed, disk.SyncPath(path))
		}
		return nil
	})
	return failed
}
