//go:build !linux

package process

import "syscall"

// Wait waits for the end of the main process, and kills the rest of its group.
func (g *Group) Wait(string) (End, error) {
	e, err := g.wait()
	g.processes.ended(g.pid)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	// The group keeps its id while it has members.
	syscall.Kill(-g.pid, syscall.SIGKILL)
	return e, err
}
