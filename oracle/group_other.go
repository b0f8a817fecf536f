//go:build !linux

package oracle

import "syscall"

// wait waits until the main process has ended, kills what is left of its group
// and returns the status of the main process. Processes that have left the
// group are not found here.
func (g *group) wait(string) (syscall.WaitStatus, error) {
	status, err := g.reap()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	// The group keeps its id as long as it has members.
	syscall.Kill(-g.pid, syscall.SIGKILL)
	return status, err
}
