package diagnose

import (
	"os"
	"path/filepath"
	"testing"
)

// A link counts with its target. Endless files are not copied.
func TestUnitsAreBounded(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 4*copyBytes); err != nil {
		t.Skip(err)
	}
	sub := filepath.Join(dir, "sub")
	os.Mkdir(sub, 0o700)
	os.WriteFile(filepath.Join(sub, "small"), []byte("small"), 0o600)
	if err := os.Symlink(huge, filepath.Join(sub, "link")); err != nil {
		t.Fatal(err)
	}
	u, look := unit{source: sub}, lookFiles
	u.measure(&look)
	if u.bytes <= copyBytes {
		t.Errorf("with a link to %d bytes it has %d", 4*copyBytes, u.bytes)
	}
	if endless, err := os.Stat("/proc/self/smaps"); err == nil {
		to := filepath.Join(dir, "copy")
		if err := copyFile(to, "/proc/self/smaps", endless); err != nil {
			t.Error(err)
		}
		if content, err := os.ReadFile(to); len(content) > 0 || err != nil {
			t.Errorf("of what says that it is empty, there are %d bytes, %v", len(content), err)
		}
	}
}
