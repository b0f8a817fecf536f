package process

import (
	"bytes"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Wait waits for the end of the main process, kills the rest of the test and returns that end. It
// recognises processes outside the group by mark, a string only in the environment of this test.
//
// All are killed while the main process is a zombie: until it is reaped, its id is not reused.
func (g *Group) Wait(mark string) (End, error) {
	if err := waitUntilDead(g.pid); err != nil {
		return End{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.signal()
	g.processes.killMarked(youngerThan(g.pid), g.pid, mark)
	e, err := g.reap()
	g.reaped = true
	g.processes.ended(g.pid)
	g.processes.sweep()
	return e, err
}

// reap reaps the dead main process, and members of the killed group that have become children of
// this process. It waits until they are dead, but not for long.
//
// The id of the group stays reserved while a child of this process is a member. Only this loop
// reaps those.
func (g *Group) reap() (e End, err error) {
	reaped := false
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		var s syscall.WaitStatus
		var used syscall.Rusage
		pid, err := syscall.Wait4(-g.pid, &s, syscall.WNOHANG, &used)
		switch {
		case pid == g.pid:
			e, reaped = newEnd(s, used), true
		case pid == 0:
			time.Sleep(100 * time.Microsecond)
		case err != nil && err != syscall.EINTR:
			end = time.Time{}
		}
	}
	if !reaped { // it moved to another group
		var s syscall.WaitStatus
		var used syscall.Rusage
		_, err = syscall.Wait4(g.pid, &s, 0, &used)
		e = newEnd(s, used)
	}
	return e, err
}

// waitUntilDead waits until the child can be reaped.
func waitUntilDead(pid int) error {
	const byPid = 1       // P_PID
	var siginfo [128]byte // siginfo_t, ignored
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

// killMarked kills processes younger than test with mark in their environment, and waits until
// they are dead, but not for long. It spares other tests.
func (p *Reaper) killMarked(processes iter.Seq[int], test int, mark string) {
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		again := false
		for pid := range processes {
			again = p.killIfMarked(pid, test, mark) || again
		}
		if !again {
			return
		}
	}
}

// killIfMarked kills a process with mark in its environment. It reports whether the process needs
// another look: it was just killed, or has no environment yet. Processes older than test do not.
func (p *Reaper) killIfMarked(pid, test int, mark string) (again bool) {
	if syscall.Kill(pid, 0) != nil {
		return false // gone, or another user's; far cheaper than /proc
	}
	if group, err := syscall.Getpgid(pid); err != nil || group != test && p.isTest(group) || pid == os.Getpid() {
		return false
	}
	// With process handles, the id cannot be reused between the look and the kill.
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	environ := readEnvironment(pid)
	if len(environ) == 0 {
		s, ok := readStat(pid)
		t, _ := readStat(test)
		if ok && s.parent == os.Getpid() && pid != test {
			p.mayBeOrphan(pid, s.start)
		}
		return ok && s.inExec && s.start >= t.start
	}
	if !bytes.Contains(environ, []byte(mark)) {
		if s, ok := readStat(pid); ok && s.parent == os.Getpid() {
			p.mayBeOrphan(pid, s.start)
		}
		return false
	}
	process.Kill()
	return true
}

// readEnvironment uses a single read: an exec between two would truncate the result.
func readEnvironment(pid int) []byte {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return nil
	}
	defer f.Close()
	for size := 16 << 10; ; size *= 4 {
		buf := make([]byte, size)
		if n, _ := f.ReadAt(buf, 0); n < size {
			return buf[:n]
		}
	}
}

// ticks per second in /proc, the same on every Linux machine.
const ticks = 100

// A stat has fields of /proc/*/stat.
type stat struct {
	parent    int
	start     uint64        // in ticks
	inExec    bool          // it lacks an environment, or just did, but may get one
	processor time.Duration // time that it and its reaped children have used
}

func readStat(pid int) (s stat, ok bool) {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	// Field 2 in proc(5), the name, is in parentheses.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) <= 51-3 {
		return stat{}, false
	}
	s.parent, _ = strconv.Atoi(fields[4-3])
	flags, _ := strconv.ParseUint(fields[9-3], 10, 64)
	for _, used := range fields[14-3 : 18-3] {
		n, _ := strconv.ParseUint(used, 10, 64)
		s.processor += time.Duration(n) * (time.Second / ticks)
	}
	s.start, _ = strconv.ParseUint(fields[22-3], 10, 64)
	endCode, envStart, envEnd := fields[27-3], fields[50-3], fields[51-3]
	const exiting, kernelThread = 0x4, 0x200000 // PF_EXITING, PF_KTHREAD
	// An exec sets the end of the code after the environment. Until then it is 0, or 1 if secret.
	// A wiped environment ends where it starts.
	s.inExec = flags&(exiting|kernelThread) == 0 && (endCode == "0" || endCode == "1" || envStart != envEnd)
	return s, true
}

// youngerThan yields the ids of all processes started after pid, and perhaps of threads and dead
// ones. Without /proc it yields no ids.
//
// Ids are assigned in order, and /proc/loadavg has the last one. So the cost, a few microseconds
// each, depends on the processes started during the test, not on the size of the system.
func youngerThan(pid int) iter.Seq[int] {
	return func(yield func(int) bool) {
		// The format is "0.20 0.18 0.12 1/80 11206".
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
		// The ids wrapped around, or are many.
		for p := range allProcesses() {
			if p != pid && !yield(p) {
				return
			}
		}
	}
}

func allProcesses() iter.Seq[int] {
	return func(yield func(int) bool) {
		entries, err := filepath.Glob("/proc/[1-9]*")
		if err != nil {
			return
		}
		for _, e := range entries {
			if p, err := strconv.Atoi(filepath.Base(e)); err == nil && !yield(p) {
				return
			}
		}
	}
}
