package disk

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// longestName is the limit of names, in bytes, in nearly all file systems.
const longestName = 255

// JoinName returns the path of a file in dir, which is empty or ends with a slash, as dir/small.orig
// for "dir/", "small", ".orig". In too long names a hash replaces the middle.
func JoinName(dir string, parts ...string) string {
	name := strings.Join(parts, "")
	if len(name) <= longestName {
		return dir + name
	}
	tail := parts[len(parts)-1]
	if len(tail) > longestName/2 {
		tail = tail[len(tail)-longestName/2:]
	}
	middle := fmt.Sprintf("~%x~", sha256.Sum256([]byte(name)))[:9]
	head := name[:longestName-len(middle)-len(tail)]
	return dir + strings.ToValidUTF8(head, "") + middle + tail
}

// AddSuffix adds a suffix to a path's name, as [JoinName] does.
func AddSuffix(path, suffix string) string {
	dir, base := filepath.Split(filepath.Clean(path))
	return JoinName(dir, base, suffix)
}

// MoveAside renames a file or link to the first free of PATH.old, PATH.old-2, …, and returns that.
func MoveAside(path string) (string, error) {
	for n := 1; ; n++ {
		suffix := ".old"
		if n > 1 {
			suffix = fmt.Sprintf(".old-%d", n)
		}
		to := AddSuffix(path, suffix)
		if err := Move(path, to); !errors.Is(err, fs.ErrExist) {
			return to, err
		}
	}
}

// moveInSteps is Move without atomic check and rename.
func moveInSteps(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(from, to)
}

// Exists reports whether there is a file, a directory or a link, also a broken one.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Create writes a new file, or returns fs.ErrExist.
func Create(path string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
