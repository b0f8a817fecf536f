//go:build !linux

package process

import "syscall"

// Adopt adopts no orphans, as only Linux supports that.
func Adopt() *Reaper { return &Reaper{} }

func (p *Reaper) Close() {}

func (p *Reaper) hasBadge(int) bool { return false }

func (p *Reaper) fork(argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	return syscall.ForkExec(argv[0], argv, attr)
}

func (p *Reaper) inForker(fork func()) { fork() }

// Stop stops the groups of all tests, and starts no tests until Continue.
func (p *Reaper) Stop(string) {
	p.forking.Lock()
	p.pause.begin()
	p.signal(syscall.SIGSTOP)
}

// Continue resumes tests that Stop has stopped.
func (p *Reaper) Continue(string) {
	p.signal(syscall.SIGCONT)
	p.pause.end()
	p.forking.Unlock()
}

// Kill kills the groups of all running tests.
func (p *Reaper) Kill(string) { p.signal(syscall.SIGKILL) }

func (p *Reaper) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for group := range p.running {
		syscall.Kill(-group, s)
	}
}

func now() uint64 { return 0 }

func KillAllMarked(string) {}
