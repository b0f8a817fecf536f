package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An interrupt ends check, during an experiment or at the start, and nothing remains.
func TestE2EInterruptCheck(t *testing.T) {
	for name, test := range map[string]string{
		"start": "#!/bin/sh\nsleep 1000 &\necho $$ $! >>\"$WHITTLE_TEST_DIR/pids\"\nwait\n",
		// hangs only with the file next to it, as in an experiment
		"experiment": "#!/bin/sh\ncat beside.txt || exit 1\nsleep 1000 &\necho $$ $! >>\"$WHITTLE_TEST_DIR/pids\"\nwait\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			write(t, path("test.sh"), test, 0o755)
			write(t, path("small.c"), "int crash;\n", 0o644)
			write(t, path("beside.txt"), "", 0o644)
			whittle, stderr := begin(t, dir, "check", "--timeout", "1h", "test.sh", "small.c")
			wait(t, "the processes of a test", func() bool { return len(strings.Fields(read(t, path("pids")))) >= 2 })
			whittle.Process.Signal(syscall.SIGINT)
			err := whittle.Wait()
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 130 ||
				!strings.HasSuffix(stderr.String(), "whittle: interrupted by SIGINT\n") {
				t.Errorf("%v, %s", err, stderr.String())
			}
			checkGone(t, dir)
		})
	}
}
