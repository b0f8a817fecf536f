//go:build !linux

package process

import "syscall"

// Wait waits until the main process has ended, kills what is left of its group
// and returns how the main process ended. Processes that have left the
// group are not found here.
func (g *Group) Wait(string) (End, error) {
	var status syscall.WaitStatus
	var used syscall.Rusage
	_, err := syscall.Wait4(g.pid, &status, 0, &used)
	for err == syscall.EINTR {
		_, err = syscall.Wait4(g.pid, &status, 0, &used)
	}
	g.processes.ended(g.pid)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	// The group keeps its id as long as it has members.
	syscall.Kill(-g.pid, syscall.SIGKILL)
	return newEnd(status, used), err
}
