// Package beside names the files that whittle makes beside those of the user,
// and moves files to such names without losing another.
package sidecar

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// longest is how many bytes a name may have in nearly all file systems.
const longest = 255

// Path returns the path of a file with another one's name and more around it:
// Path("dir/", "small", ".orig") is dir/small.orig. Where that would be too long
// for a name, the middle of it is a hash. The same arguments give the same path.
func Path(dir string, parts ...string) string {
	name := strings.Join(parts, "")
	if len(name) <= longest {
		return dir + name
	}
	tail := parts[len(parts)-1]
	if len(tail) > longest/2 {
		tail = tail[len(tail)-longest/2:]
	}
	middle := fmt.Sprintf("~%x~", sha256.Sum256([]byte(name)))[:9]
	head := name[:longest-len(middle)-len(tail)]
	return dir + strings.ToValidUTF8(cutRune(head), "_") + middle + tail
}

// cutRune drops the beginning of a rune at the end.
func cutRune(s string) string {
	for i := 1; i < utf8.UTFMax && i <= len(s); i++ {
		if b := s[len(s)-i]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRuneInString(s[len(s)-i:]) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}

// With returns the path of a file that is named after another: its name with
// the suffix behind.
func With(path, suffix string) string {
	dir, base := filepath.Split(filepath.Clean(path))
	return Path(dir, base, suffix)
}

// Aside moves what is at path to a free name, PATH.old, or PATH.old-2 and so on,
// and returns that. A link is moved, not followed.
func Aside(path string) (string, error) {
	for n := 1; ; n++ {
		to := numbered(path, n)
		if err := Move(path, to); !errors.Is(err, fs.ErrExist) {
			return to, err
		}
	}
}

func numbered(path string, n int) string {
	if n == 1 {
		return With(path, ".old")
	}
	return With(path, fmt.Sprintf(".old-%d", n))
}

// move is Move where the system cannot do that in one step.
func move(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(from, to)
}
