package failure

import (
	"os"
	"testing"
)

func TestMissingFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in.txt", "tool", "a.c"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for output, want := range map[string]string{
		"sh: 1: cannot open in.txt: No such file\n":             "in.txt",
		"cat: '/tmp/work/in.txt': No such file or directory":    "in.txt",
		"a.c:1: error\nsh: 1: ./tool: not found\n":              "./tool",
		"a.c:1: error: 'x' undeclared\nin.txt\n":                "",
		"cat: other.txt: No such file or directory\nin.txt: ok": "",
	} {
		if got := MissingFile(output); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
