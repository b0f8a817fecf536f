package local

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"whittle/internal/process"

	"whittle/internal/testkit/programs"

	"golang.org/x/sys/unix"
)

func TestHelpersLive(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	p := process.Adopt()
	if !p.Adopts() {
		t.Skip("orphans cannot be adopted")
	}
	defer unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	helper := exec.Command("sleep", "1000")
	err := p.Help(func() (int, error) {
		err := helper.Start()
		return helper.Process.Pid, err
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newScript(t, `env -i PATH="$PATH" setsid sh -c 'echo $$ >>"$0"; exec sleep 1000' "$WHITTLE_TEST_DIR/pids" &
while ! test -s "$WHITTLE_TEST_DIR/pids"; do sleep 0.01; done`)
	c.Reaper = p
	if _, err := c.Ask(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	p.Close()
	programs.CheckDead(t, programs.PIDs(t, c.auxiliary("pids"), 1))
	if err := syscall.Kill(helper.Process.Pid, 0); err != nil {
		t.Error("the helper:", err)
	}
	p.Release(helper.Process.Pid)
	helper.Process.Kill()
	if err := helper.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Error("the helper was reaped by somebody else:", err)
	}
}

// A Ctrl-Z in a fork stops neither process.
func TestForkedBesideCtrlZ(t *testing.T) {
	p := process.Adopt()
	if !p.Adopts() {
		t.Skip("orphans cannot be adopted")
	}
	defer unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	defer p.Close()
	c := newScript(t, `exec grep SigBlk: /proc/self/status >"$WHITTLE_TEST_DIR/blocked"`)
	c.Reaper = p
	if _, err := c.Ask(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	blocked, err := os.ReadFile(c.auxiliary("blocked"))
	if err != nil {
		t.Fatal(err)
	}
	var set uint64
	if _, err := fmt.Sscanf(string(blocked), "SigBlk: %x", &set); err != nil || set>>(syscall.SIGTSTP-1)&1 == 0 {
		t.Errorf("blocked in a test: %s%v", blocked, err)
	}
}
