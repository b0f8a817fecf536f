package disk

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A child process makes mounts in its own namespace.
func TestRemoveTreeMounts(t *testing.T) {
	const inside = "WHITTLE_MOUNTS"
	if os.Getenv(inside) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestRemoveTreeMounts$", "-test.v")
		child.Env = append(os.Environ(), inside+"=1")
		child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		said, err := child.CombinedOutput()
		switch {
		case err != nil && len(said) == 0:
			t.Skip("there is no namespace to mount in: ", err)
		case err != nil:
			t.Errorf("%v\n%s", err, said)
		}
		return
	}
	for _, at := range []string{"dir/m", "dir/a/b/my mount", "dir", "dir/file"} {
		parent := t.TempDir()
		precious := filepath.Join(parent, "precious")
		for _, dir := range []string{precious, filepath.Join(parent, "dir/a/b")} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		kept := filepath.Join(precious, "file")
		os.WriteFile(kept, []byte("mine"), 0o600)
		from, to := precious, filepath.Join(parent, at)
		if at == "dir/file" {
			from = kept
			os.WriteFile(to, nil, 0o600)
		} else {
			os.MkdirAll(to, 0o700)
		}
		for range 2 { // one mount over the other
			if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := RemoveTree(filepath.Join(parent, "dir")); err != nil {
			t.Errorf("%s: %v", at, err)
		}
		if content, err := os.ReadFile(kept); string(content) != "mine" {
			t.Errorf("%s: of what was mounted is left %q, %v", at, content, err)
		}
		if _, err := os.Lstat(filepath.Join(parent, "dir")); err == nil {
			t.Errorf("%s: it is still there", at)
		}
	}
}
