package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// privateMounts restarts this program in a mount namespace of its own, or returns why it cannot.
func privateMounts() error {
	const mark = "WHITTLE_SOAK_MOUNTS"
	if os.Getenv(mark) != "" {
		os.Unsetenv(mark)
		return syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	}
	if os.Geteuid() != 0 {
		return errors.New("only root can mount them")
	}
	// The thread that leaves the namespace becomes the new program.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
		return fmt.Errorf("no mounts of our own: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, os.Args, append(os.Environ(), mark+"=1"))
}

func mountDisk(dir string, size int) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=700", size))
}

func enlargeDisk(dir string, size int) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", size))
}

func unmountDisk(dir string) error { return syscall.Unmount(dir, syscall.MNT_DETACH) }
