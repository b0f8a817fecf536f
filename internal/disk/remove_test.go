package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// nest makes nested directories of any depth and returns the innermost.
func nest(t *testing.T, dir string, depth int) int {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	for i := 0; err == nil && i < depth; i++ {
		if err = unix.Mkdirat(fd, "directory", 0o700); err == nil {
			outer := fd
			fd, err = unix.Openat(fd, "directory", unix.O_RDONLY|unix.O_DIRECTORY, 0)
			unix.Close(outer)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

func TestRemoveTree(t *testing.T) {
	var before unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &before) == nil {
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 500, Max: before.Max})
		defer unix.Setrlimit(unix.RLIMIT_NOFILE, &before)
	}
	tests := []struct {
		name string
		make func(t *testing.T, dir string)
	}{
		{"nothing", func(t *testing.T, dir string) { os.Remove(dir) }},
		{"empty", func(*testing.T, string) {}},
		{"deep", func(t *testing.T, dir string) { nest(t, dir, 3_000) }},
		{"deep and locked", func(t *testing.T, dir string) {
			bottom := nest(t, dir, 3_000)
			for i := range 3 {
				name := strconv.Itoa(i)
				err := errors.Join(unix.Mkdirat(bottom, name, 0o700), unix.Mkdirat(bottom, name+"/inner", 0),
					unix.Fchmodat(bottom, name, 0, 0))
				if err != nil {
					t.Fatal(err)
				}
			}
			unix.Fchmod(bottom, 0)
		}},
		{"many, and names that moved ones get", func(t *testing.T, dir string) {
			for i := range 40 {
				deep := filepath.Join(dir, "whittle-moved-"+strconv.Itoa(i))
				os.Mkdir(deep, 0o700)
				bottom := nest(t, deep, deepest-3+i%7)
				for k := range 50 {
					unix.Mkdirat(bottom, strconv.Itoa(k), 0o500)
				}
			}
		}},
		{"files", func(t *testing.T, dir string) {
			for i := range 3 * batch {
				name := filepath.Join(dir, strconv.Itoa(i))
				if i%3 == 0 {
					os.Mkdir(name, 0)
				} else {
					os.WriteFile(name, nil, 0)
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "dir")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(parent, filepath.Join(dir, "link")); err != nil {
				t.Fatal(err)
			}
			os.WriteFile(filepath.Join(parent, "mine"), nil, 0o600)
			tt.make(t, dir)
			if err := RemoveTree(dir); err != nil {
				message := err.Error()
				t.Errorf("%.1000s (%d bytes)", message, len(message))
			}
			if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it is still there, error %v", err)
			}
			if left, _ := os.ReadDir(parent); len(left) != 1 {
				t.Errorf("beside it is %v", left)
			}
		})
	}
}
