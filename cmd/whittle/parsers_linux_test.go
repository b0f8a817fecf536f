package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Parser processes are in a process group of their own, so that the terminal does not signal them.
// They end with whittle.
func TestE2EParsersEnd(t *testing.T) {
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		t.Skip(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			write(t, path("test.sh"), "#!/bin/sh\ntest -e \"$WHITTLE_TEST_DIR/begun\" && sleep 0.1\n"+
				": >\"$WHITTLE_TEST_DIR/begun\"\n", 0o755)
			write(t, path("a.py"), strings.Repeat("def f(x):\n    return x + 1\n", 50), 0o644)
			whittle, _ := begin(t, dir, "reduce", "--force", "--driver", "perses", "--algorithm", "ddmin", "test.sh", "a.py")
			var pids []string
			wait(t, "a child that parses", func() bool {
				pids = parsersOf(whittle.Process.Pid)
				return len(pids) > 0
			})
			for _, pid := range pids {
				n, _ := strconv.Atoi(pid)
				if group, err := syscall.Getpgid(n); err == nil && group != n {
					t.Errorf("the child %d is in the group %d", n, group)
				}
			}
			whittle.Process.Signal(signal)
			whittle.Wait()
			if alive := stillAlive(pids); len(alive) > 0 {
				t.Errorf("still alive: %v", alive)
			}
		})
	}
}

// parsersOf returns the parser processes of a process.
func parsersOf(pid int) (found []string) {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, task := range tasks {
		children, _ := os.ReadFile(task)
		for _, child := range strings.Fields(string(children)) {
			command, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if strings.HasSuffix(string(command), "\x00parse-for-whittle\x00") {
				found = append(found, child)
			}
		}
	}
	return found
}
