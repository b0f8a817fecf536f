//go:build !linux

package process

import "syscall"

// Wait waits for the end of the main process, kills the rest of its group and returns that end.
// It misses processes that have left the group.
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
	// The group keeps its id while it has members.
	syscall.Kill(-g.pid, syscall.SIGKILL)
	return newEnd(status, used), err
}
