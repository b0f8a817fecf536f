package oracle

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// wait waits until the main process has ended, kills what is left of the test
// and returns the status of the main process. Processes that have left the group
// are recognised by mark, a string that is in the environment of this test's
// processes and of no others.
//
// All is killed while the main process is a zombie: its id cannot be given to
// another process or group meanwhile.
func (g *group) wait(mark string) (syscall.WaitStatus, error) {
	if err := waitUntilDead(g.pid); err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.signal()
	killMarked(g.pid, mark)
	status, err := g.reap()
	g.reaped = true
	return status, err
}

// waitUntilDead waits until the child pid can be reaped, and leaves it so.
func waitUntilDead(pid int) error {
	const byPid = 1       // P_PID
	var siginfo [128]byte // siginfo_t, of no interest
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(pid), uintptr(unsafe.Pointer(&siginfo)),
			syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if e == 0 {
			return nil
		}
		if e != syscall.EINTR {
			return os.NewSyscallError("waitid", e)
		}
	}
}

// killMarked kills the processes younger than pid that have mark in their
// environment, and waits until they are dead, though not for long.
//
// Process ids are given in order and /proc/loadavg tells the last one, so only
// the processes that were started during this test need a look: a few
// microseconds for each, and nothing that grows with the size of the system.
func killMarked(pid int, mark string) {
	for pause := 50 * time.Microsecond; pause < 100*time.Millisecond; pause *= 2 {
		alive := false
		for p := range youngerThan(pid) {
			alive = killIfMarked(p, mark) || alive
		}
		if !alive {
			return
		}
		time.Sleep(pause)
	}
}

// killIfMarked kills the process pid if mark is in its environment and reports
// whether it was. The process found is the one killed, even if it ends and its
// id is given away in between.
func killIfMarked(pid int, mark string) bool {
	if _, err := syscall.Getpgid(pid); err != nil {
		return false // far cheaper than to open a file of /proc in vain
	}
	environ := "/proc/" + strconv.Itoa(pid) + "/environ"
	if !fileContains(environ, mark) {
		return false
	}
	process, err := os.FindProcess(pid) // a handle, where the kernel has them
	if err != nil {
		return false
	}
	defer process.Release()
	if !fileContains(environ, mark) {
		return false
	}
	process.Kill()
	return true
}

// fileContains reports whether the file can be read and contains s.
func fileContains(path, s string) bool {
	data, err := os.ReadFile(path)
	return err == nil && bytes.Contains(data, []byte(s))
}

// youngerThan yields ids among which are those of all processes started after
// pid. Those need not exist, and some may be threads. It yields none if /proc
// is not there.
func youngerThan(pid int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		// As in "0.20 0.18 0.12 1/80 11206".
		load, err := os.ReadFile("/proc/loadavg")
		if err != nil {
			return
		}
		line := strings.TrimSpace(string(load))
		last, err := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:])
		if err == nil && pid <= last && last-pid <= 1<<14 {
			for p := pid + 1; p <= last; p++ {
				if !yield(p) {
					return
				}
			}
			return
		}
		// The ids have wrapped around or are many: take all that there are.
		entries, err := filepath.Glob("/proc/[1-9]*")
		if err != nil {
			return
		}
		for _, e := range entries {
			if p, err := strconv.Atoi(filepath.Base(e)); err == nil && p != pid && !yield(p) {
				return
			}
		}
	}
}
