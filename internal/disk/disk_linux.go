package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

func unmountAt(dir string) error {
	for isMountPoint(dir) {
		if err := unmount(dir); err != nil {
			return err
		}
	}
	return nil
}

func isMountPoint(path string) bool {
	var s unix.Statx_t
	if unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, 0, &s) != nil {
		return false
	}
	return s.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}

// unmountBelow removes all mounts below dir, the latest first.
func unmountBelow(dir string) error {
	points, err := mountPoints(dir)
	if err != nil {
		return err
	}
	for _, point := range slices.Backward(points) {
		if err := unmount(point); err != nil {
			return err
		}
	}
	return nil
}

func unmount(point string) error {
	if err := unix.Unmount(point, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW); err != nil {
		return fmt.Errorf("the test left something mounted at %s, which cannot be unmounted: %w; "+
			"unmount it by 'umount %[1]s'", point, err)
	}
	return nil
}

// mountPoints returns the mount points below dir, the earliest first.
func mountPoints(dir string) (points []string, err error) {
	if dir, err = filepath.Abs(dir); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	escaped := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(table)) {
		// As in "36 35 98:0 /mnt1 /mnt/parent\040mine rw,noatime master:1 - ext3 /dev/root rw".
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		if point := escaped.Replace(fields[4]); strings.HasPrefix(point, dir+"/") {
			points = append(points, point)
		}
	}
	return points, nil
}

// Move renames a file, directory or link, or returns fs.ErrExist if the target exists.
func Move(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // not supported by the file system
		return moveInSteps(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// NoExec reports whether a file system runs no programs.
func NoExec(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}
