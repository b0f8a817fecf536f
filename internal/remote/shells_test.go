package remote

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestClusterShells(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and is not about what runs beside each other")
	}
	for _, shell := range [][]string{{"/bin/sh"}, {"dash"}, {"bash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"yash"}} {
		path, err := exec.LookPath(shell[0])
		if err != nil {
			t.Logf("%s is not here", shell[0])
			continue
		}
		t.Run(shell[0], func(t *testing.T) {
			t.Parallel()
			for text, want := range map[string]string{
				"exit 0": "0", "exit 139": "139", "exit 255": "255", "kill -SEGV $$": "signal 11", "kill -KILL $$": "signal 9",
				"sleep 1000 & exit 4": "4", "cat && rm a.c && exit 5": "5", "sleep 1000": "late", "sleep 1000 & wait": "late",
				`[ "$1 $2" = "a  b $WHITTLE_TEST_DIR/x" ] || exit 1`: "0",
			} {
				dir := t.TempDir()
				for name, content := range map[string]string{
					scriptName: string(script), "test/test.sh": "#!/bin/sh\n" + text + "\n", "candidate/a.c": "int i;\n",
				} {
					if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				run := exec.Command(path, append(shell[1:], scriptName, "2", "1000", "a.c", "test/.tmp", outputName, "",
					testMark+"test.sh", "a  b", testMark+"x")...)
				run.Dir = dir
				began := time.Now()
				out, _ := run.Output()
				if string(out) != "whittle 1 "+want+"\n" {
					t.Errorf("%q: %q after %v; want %q", text, out, time.Since(began), want)
				}
			}
		})
	}
}
