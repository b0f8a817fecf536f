//go:build !linux

package oracle

import "syscall"

// Adopt gives a Processes that does nothing: orphans are Linux's to adopt.
func Adopt() *Processes { return &Processes{} }

// Close does nothing here.
func (p *Processes) Close() {}

func (p *Processes) hasBadge(int) bool { return false }

func (p *Processes) fork(argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	return syscall.ForkExec(argv[0], argv, attr)
}

// Stop stops the groups of all tests, and starts no more, until Continue.
func (p *Processes) Stop(string) {
	p.forking.Lock()
	p.pause.begin()
	p.signal(syscall.SIGSTOP)
}

// Continue lets tests go on that Stop has stopped.
func (p *Processes) Continue(string) {
	p.signal(syscall.SIGCONT)
	p.pause.end()
	p.forking.Unlock()
}

// Kill kills the groups of all tests that still run, at an end that does not wait
// for them.
func (p *Processes) Kill(string) { p.signal(syscall.SIGKILL) }

func (p *Processes) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for group := range p.running {
		syscall.Kill(-group, s)
	}
}

func now() uint64 { return 0 }

func killAllMarked(string) {}
