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

	"golang.org/x/sys/unix"
)

// Wait waits for the end of the main process, and kills the rest of the test while that is a
// zombie, so that its id is not reused. Processes outside the group have mark in their
// environment.
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

// reap reaps the dead main process, and members of the killed group that have become children of this process. It waits
// until they are dead, but not for long. Only this loop reaps them, so until then the id of the group is reserved.
func (g *Group) reap() (e End, _ error) {
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
		return g.wait()
	}
	return e, nil
}

func waitUntilDead(pid int) error {
	for {
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return os.NewSyscallError("waitid", err)
		}
	}
}

// killMarked kills processes younger than test with mark in their environment, but not other
// tests, and waits until they are dead, but not for long.
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
// another look: it was just killed, or has no environment yet.
func (p *Reaper) killIfMarked(pid, test int, mark string) (again bool) {
	if syscall.Kill(pid, 0) != nil {
		return false // gone, or another user's; far cheaper than /proc
	}
	if group, err := syscall.Getpgid(pid); err != nil || group != test && p.isTest(group) || pid == os.Getpid() {
		return false
	}
	// A handle is safe if the id is reused between the look and the kill.
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	environ := readEnvironment(pid)
	if bytes.Contains(environ, []byte(mark)) {
		process.Kill()
		return true
	}
	s, ok := readStat(pid)
	if ok && s.parent == os.Getpid() && pid != test {
		p.mayBeOrphan(pid, s.start)
	}
	if len(environ) > 0 || !ok || !s.inExec {
		return false
	}
	t, _ := readStat(test)
	return s.start >= t.start
}

// readEnvironment uses one read: an exec between two would truncate the result.
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

// ticks per second in /proc.
const ticks = 100

// A stat has fields of /proc/*/stat.
type stat struct {
	parent    int
	start     uint64        // in ticks
	inExec    bool          // it may get an environment
	thread    bool          // of a process with another id; the rest is about that process
	processor time.Duration // used, with its reaped children
	own       time.Duration // used, without them
	memory    uint64        // resident, in bytes
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
	for i, used := range fields[14-3 : 18-3] {
		n, _ := strconv.ParseUint(used, 10, 64)
		if s.processor += time.Duration(n) * (time.Second / ticks); i == 1 {
			s.own = s.processor
		}
	}
	s.start, _ = strconv.ParseUint(fields[22-3], 10, 64)
	pages, _ := strconv.ParseUint(fields[24-3], 10, 64)
	s.memory = pages * uint64(os.Getpagesize())
	s.thread = fields[38-3] == "-1" // the signal to the parent at the end
	endCode, envStart, envEnd := fields[27-3], fields[50-3], fields[51-3]
	const exiting, kernelThread = 0x4, 0x200000 // PF_EXITING, PF_KTHREAD
	// An exec sets the end of the code after the environment; before it is 0, or 1 if secret. A
	// wiped environment ends where it starts.
	s.inExec = flags&(exiting|kernelThread) == 0 && (endCode == "0" || endCode == "1" || envStart != envEnd)
	return s, true
}

// youngerThan yields the ids of all processes started after pid, and perhaps of threads and dead
// ones. Ids are assigned in order, and /proc/loadavg has the last one. So the cost depends on the
// processes started during the test, not on the size of the system.
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
