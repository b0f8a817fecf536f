package disk

import (
	"os"
	"testing"
)

func TestSync(t *testing.T) {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Sync(); err == nil {
		t.Skip("the null device can be synced here")
	}
	if err := Sync(f); err != nil {
		t.Error(err)
	}
	if err := SyncName(t.TempDir() + "/a"); err != nil {
		t.Error(err)
	}
}
