// Package programs helps tests that run programs.
package programs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Soon means "promptly" in tests: much longer than necessary on a busy machine, and much shorter than any sleep.
const Soon = 8 * time.Second

// PIDs waits until file has n lines and returns the process ids in it.
func PIDs(t testing.TB, file string, n int) []int {
	t.Helper()
	for end := time.Now().Add(Soon); time.Now().Before(end); time.Sleep(time.Millisecond) {
		data, _ := os.ReadFile(file)
		if bytes.Count(data, []byte("\n")) != n {
			continue
		}
		var pids []int
		for _, f := range strings.Fields(string(data)) {
			pid, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
		return pids
	}
	t.Fatalf("the test did not write %d process ids", n)
	return nil
}

// IsDead reports whether a process does not exist or is a zombie.
func IsDead(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return runtime.GOOS == "linux"
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

// Script writes a program into a new directory, and returns its path.
func Script(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "interesting.sh")
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Work returns a new directory for tests, which must be empty at the end of t.
func Work(t testing.TB) string {
	t.Helper()
	work := t.TempDir()
	t.Cleanup(func() {
		left, err := os.ReadDir(work)
		if len(left) > 0 || err != nil {
			t.Errorf("left in the work directory: %v, error %v", left, err)
		}
	})
	return work
}

// CheckDead fails the test if a process is alive.
func CheckDead(t testing.TB, pids []int) {
	t.Helper()
	for _, pid := range pids {
		for end := time.Now().Add(Soon); !IsDead(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("process %d outlived the test", pid)
				break
			}
		}
	}
}
