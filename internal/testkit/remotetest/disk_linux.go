package remotetest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// LimitDisk deletes the store and puts the next one on a disk of that many bytes. It fails
// without the right to mount.
func (s *Server) LimitDisk(t testing.TB, size int64) error {
	t.Helper()
	s.Kill()
	if err := errors.Join(os.RemoveAll(s.Store), os.MkdirAll(s.Store, 0o755)); err != nil {
		return err
	}
	err := syscall.Mount("tmpfs", s.Store, "tmpfs", 0, fmt.Sprintf("size=%d", size))
	if err == nil {
		t.Cleanup(func() {
			s.Kill()
			syscall.Unmount(s.Store, syscall.MNT_DETACH)
		})
	}
	return errors.Join(err, s.Restart())
}

// FillDisk fills the disk of the server until release is called.
func (s *Server) FillDisk() (release func() error, err error) {
	path := filepath.Join(s.Store, "full")
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for zeros := make([]byte, 1<<16); err == nil; {
		_, err = f.Write(zeros)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return nil, err
	}
	return func() error { return os.Remove(path) }, nil
}
