package whittle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What docs/remote.md shows of a file is that file.
func TestRemotePage(t *testing.T) {
	page, err := os.ReadFile("docs/remote.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/remote/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "\n"+string(content)+"```\n") {
			t.Errorf("docs/remote.md does not show %s as it is", file)
		}
	}
}
