package disk

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadPlain(t *testing.T) {
	dir := t.TempDir()
	plain, fifo := filepath.Join(dir, "plain"), filepath.Join(dir, "fifo")
	if err := os.WriteFile(plain, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadPlain(plain); string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for path, want := range map[string]string{
		fifo: "no plain file", "/dev/zero": "no plain file", dir: "is a directory", dir + "/none": "no such file",
	} {
		if _, err := ReadPlain(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", path, err, want)
		}
	}
}
