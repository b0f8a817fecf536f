package failure

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMissingPath(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in.txt", "tool", "a.c", "h.py", "node_modules/dep", "inc/x.h", "src/pk/m.py", "b/tool.h"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for output, want := range map[string]string{
		"sh: 1: cannot open in.txt: No such file\n":             "in.txt",
		"cat: '/tmp/work/in.txt': No such file or directory":    "in.txt",
		"a.c:1: error\nsh: 1: ./tool: not found\n":              "tool",
		"a.c:1: error: 'x' undeclared\nin.txt\n":                "",
		"ModuleNotFoundError: No module named 'h.sub'":          "h.py",
		"Error: Cannot find module 'dep'":                       "node_modules",
		"a.c:1:10: fatal error: inc/x.h: No such file":          "inc",
		"tool: 1: cannot open in.txt: no such file":             "in.txt",
		"a.c:1: fatal error: x.h: No such file or directory":    "inc",
		"ModuleNotFoundError: No module named 'pk.m'":           "src",
		"cannot open a.c: no such file":                         "",
		"cat: other.txt: No such file or directory\nin.txt: ok": "",
	} {
		if got := MissingPath(output, []string{"a.c"}); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
