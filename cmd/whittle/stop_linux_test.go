package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Without a terminal, a test cannot stop whittle.
func TestE2EStoppedByTest(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("test.sh"), "#!/bin/sh\nkill -TSTP $PPID\ngrep -q needed list.txt", 0o755)
	write(t, path("list.txt"), "a\nneeded\nb\n", 0o644)
	whittle := exec.Command("whittle", "reduce", "--force", "--driver", "list", "test.sh", "list.txt")
	whittle.Dir = dir
	whittle.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := whittle.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- whittle.Wait() }()
	defer whittle.Process.Kill()
	wait(t, "the end", func() bool { return len(ended) == 1 })
	if err := <-ended; err != nil || read(t, path("list.reduced.txt")) != "needed\n" {
		t.Errorf("%v, the result is %q", err, read(t, path("list.reduced.txt")))
	}
}

// Ctrl-Z stops whittle and all processes of its tests. They continue together.
func TestE2ECtrlZ(t *testing.T) {
	terminal, theirs := openTerminal(t)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("test.sh"), `#!/bin/sh
cd "$WHITTLE_TEST_DIR"
test -e begun || { touch begun; exit 0; }
setsid sh -c 'echo $$ >>pids; while :; do sleep 1; done' &
echo $$ >>pids
while ! test -e "$OLDPWD/../../end"; do sleep 0.01; done
grep -q needed "$OLDPWD/list.txt"
`, 0o755)
	write(t, path("list.txt"), "a\nneeded\n", 0o644)
	if err := os.Mkdir(path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	whittle := exec.Command("whittle", "reduce", "--force", "-q", "-j", "2", "--timeout", "1h", "--driver", "list",
		"test.sh", "list.txt")
	whittle.Dir = dir
	whittle.Env = append(os.Environ(), "TMPDIR="+path("tmp"))
	whittle.Stdin, whittle.Stderr = theirs, os.Stderr
	whittle.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := whittle.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- whittle.Wait() }()
	defer whittle.Process.Kill()
	pids := func() []string {
		return append(strings.Fields(read(t, path("pids"))), fmt.Sprint(whittle.Process.Pid))
	}
	t.Cleanup(func() {
		for _, pid := range pids() { // a test that fails leaves none of them
			if n, err := strconv.Atoi(pid); t.Failed() && err == nil {
				syscall.Kill(-n, syscall.SIGKILL)
				syscall.Kill(n, syscall.SIGKILL)
			}
		}
	})
	stopped := func(pid string) bool {
		status, _ := os.ReadFile("/proc/" + pid + "/stat")
		_, state, _ := strings.Cut(string(status), ") ")
		// D is a shell that waits for a child, stopped between its vfork and exec;
		// whittle itself may be about to stop.
		return strings.HasPrefix(state, "T") || pid != fmt.Sprint(whittle.Process.Pid) && strings.HasPrefix(state, "D")
	}
	for range 2 {
		wait(t, "a test", func() bool { return len(pids()) >= 3 })
		if _, err := terminal.WriteString("\x1a"); err != nil {
			t.Fatal(err)
		}
		wait(t, "all to be stopped", func() bool {
			return !slices.ContainsFunc(pids(), func(pid string) bool { return !stopped(pid) })
		})
		whittle.Process.Signal(syscall.SIGCONT)
		wait(t, "all to go on", func() bool { return !slices.ContainsFunc(pids(), stopped) })
	}
	works, err := filepath.Glob(path("tmp/*"))
	if err != nil || len(works) != 1 {
		t.Fatal(works, err)
	}
	write(t, filepath.Join(works[0], "end"), "", 0o600)
	wait(t, "the end", func() bool { return len(ended) == 1 })
	if err := <-ended; err != nil || read(t, path("list.reduced.txt")) != "needed\n" {
		t.Errorf("%v, the result is %q", err, read(t, path("list.reduced.txt")))
	}
	if left := leftovers(dir, path("tmp")); left != "" {
		t.Error(left)
	}
}

// openTerminal returns both ends of a new terminal.
func openTerminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}
