package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClaimNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	build(t, dir, "a.c", "src/b.c")
	for _, link := range [][2]string{{"a.c", "link"}, {"nowhere", "dangling"}, {"src", "other"}} {
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Fatal(err)
		}
	}
	var n Names
	n.Add("a.c", "the input")
	n.AddWhole("src", "the sources")
	n.Add("nowhere", "the journal")
	for _, c := range []struct{ path, want string }{
		{"", ""},
		{"new", ""},
		{"./a.c", "would overwrite the input"},
		{"src/../a.c", "would overwrite the input"},
		{"link", "would overwrite the input"},
		{filepath.Join(dir, "nowhere"), "would overwrite the journal"},
		{"dangling", "would overwrite the journal"},
		{"src/c.c", "is in src"},
		{"other/none/c.c", "is in src"},
		{"srcs", ""},
		{"new", "would overwrite what --new writes"},
	} {
		err := n.Claim("--new", c.path, "what --new writes")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
}
