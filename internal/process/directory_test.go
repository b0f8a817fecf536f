package process

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRelative(t *testing.T) {
	work := filepath.Join(t.TempDir(), "whittle-work-12")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	around, err := MakeDirectory(work)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(around, "test")
	for text, want := range map[string]string{
		`  File "` + dir + `/main.py", line 3`:               `  File "main.py", line 3`,
		"at f (file://" + dir + "/a/b.mjs:1:2) in " + dir:    "at f (a/b.mjs:1:2) in " + dir,
		"/usr/lib/test/x.py and whittle-work-1/test-1/test/": "/usr/lib/test/x.py and whittle-work-1/test-1/test/",
	} {
		if got := Relative(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
