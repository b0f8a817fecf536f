package process

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"whittle/oracle"
)

// use returns the resources of the group and of others with mark in their environment. Shared
// memory counts for each process, unless the sum exceeds limit.
func (g *Group) use(mark string, limit uint64) use {
	members := []int{g.pid}
	for p := range youngerThan(g.pid) {
		group, err := unix.Getpgid(p)
		if err == nil && (group == g.pid || !g.processes.isTest(group) && bytes.Contains(readEnvironment(p), []byte(mark))) {
			members = append(members, p)
		}
	}
	u := use{processes: len(members)}
	if u.processes > oracle.MaxProcesses { // too many to examine
		return u
	}
	var own []int // without other threads
	for _, p := range members {
		if s, _ := readStat(p); !s.thread {
			own = append(own, p)
			u.memory += s.memory
			u.processor += s.processor
			if s.own > u.longest {
				u.busiest, u.longest = p, s.own
			}
		}
	}
	if limit > 0 && u.memory > limit {
		u.memory = 0
		for _, p := range own {
			u.memory += proportional(p)
		}
	}
	return u
}

// killProduct kills a process if its program is a file in dir.
func killProduct(pid int, dir string) bool {
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(process)
	program, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	return strings.HasPrefix(program, dir+"/") && unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0) == nil
}

// proportional divides shared memory among its users, and is slow.
func proportional(pid int) uint64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		s, _ := readStat(pid)
		return s.memory
	}
	kilobytes, _ := entry(data, "Pss:")
	return kilobytes << 10
}

// FreeMemory returns the available memory of the machine or container, in bytes.
func FreeMemory() uint64 {
	free := uint64(math.MaxUint64)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		if kilobytes, ok := entry(data, "MemAvailable:"); ok {
			free = kilobytes << 10
		}
	}
	data, _ := os.ReadFile("/sys/fs/cgroup/memory.max")
	limit, err := strconv.ParseUint(string(bytes.TrimSpace(data)), 10, 64)
	if err != nil {
		return free
	}
	stat, _ := os.ReadFile("/sys/fs/cgroup/memory.stat")
	used, _ := entry(stat, "anon") // the rest is reclaimable
	return min(free, limit-min(used, limit))
}

func entry(data []byte, name string) (uint64, bool) {
	for line := range bytes.Lines(data) {
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == name {
			n, err := strconv.ParseUint(string(fields[1]), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// MachineMemory returns the memory of the machine or container, in bytes.
func MachineMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return math.MaxUint64
	}
	all := uint64(info.Totalram) * uint64(info.Unit)
	data, _ := os.ReadFile("/sys/fs/cgroup/memory.max")
	if limit, err := strconv.ParseUint(string(bytes.TrimSpace(data)), 10, 64); err == nil {
		all = min(all, limit)
	}
	return all
}
