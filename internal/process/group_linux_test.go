package process

import (
	"os/exec"
	"testing"
)

func TestYoungerThan(t *testing.T) {
	child := exec.Command("sleep", "1000")
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	// The second pid never uses the short way.
	for _, pid := range []int{child.Process.Pid - 1, 1 << 30} {
		found := false
		for p := range youngerThan(pid) {
			if p == child.Process.Pid {
				found = true
				break
			}
		}
		if !found {
			t.Errorf("the child %d is not among those after %d", child.Process.Pid, pid)
		}
	}
}
