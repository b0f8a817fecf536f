package local

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWorkPlace(t *testing.T) {
	t.Setenv("TMPDIR", "/somewhere")
	if place := workPlace(0); place != "/somewhere" {
		t.Errorf("in spite of TMPDIR the place is %s", place)
	}
	t.Setenv("TMPDIR", "")
	if place := workPlace(1 << 62); place != "/tmp" {
		t.Errorf("without room in memory the place is %s", place)
	}
	if fits("/proc", 0) || fits("/no/such/place", 0) {
		t.Error("/proc or nothing is taken for memory")
	}
}

// A directory that cannot be removed now keeps its mark.
func TestClearAwayLater(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	w, err := OpenWork(place, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.lock.Close() // like a killed whittle
	stays, err := os.Create(filepath.Join(w.Dir, "stays"))
	if err != nil {
		t.Fatal(err)
	}
	defer stays.Close()
	if err := unix.IoctlSetPointerInt(int(stays.Fd()), unix.FS_IOC_SETFLAGS, immutable); err != nil {
		t.Skip("no file can be made immutable here: ", err)
	}
	clearAway(place)
	kept := isWork(w.Dir)
	if err := unix.IoctlSetPointerInt(int(stays.Fd()), unix.FS_IOC_SETFLAGS, 0); err != nil {
		t.Fatal(err)
	}
	if !kept {
		t.Errorf("what is left of %s is not known to be a work directory", w.Dir)
	}
	clearAway(place)
	if _, err := os.Lstat(w.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there, error %v", w.Dir, err)
	}
}

const immutable = 0x10 // FS_IMMUTABLE_FL
