package oracle

import (
	"bytes"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// memoryUse gives the bytes of memory that the processes of the test pid have: its
// group, and those outside of it that have mark in their environment. What
// several of them share counts for each, unless that makes more than limit.
func memoryUse(pid int, mark string, limit uint64, known *Processes) uint64 {
	var members []int
	var sum uint64
	add := func(p int) {
		members = append(members, p)
		sum += resident(p)
	}
	add(pid)
	for p := range youngerThan(pid) {
		group, err := unix.Getpgid(p)
		if err == nil && (group == pid || !known.isTest(group) && bytes.Contains(readEnvironment(p), []byte(mark))) {
			add(p)
		}
	}
	if sum <= limit {
		return sum
	}
	sum = 0
	for _, p := range members {
		sum += proportional(p)
	}
	return sum
}

// resident gives the memory that a process has, in bytes.
func resident(pid int) uint64 {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return pages * uint64(os.Getpagesize())
}

// proportional is resident with a share only of what is shared. It takes long.
func proportional(pid int) uint64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return resident(pid)
	}
	_, data, _ = bytes.Cut(data, []byte("\nPss:"))
	fields := bytes.Fields(data)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseUint(string(fields[0]), 10, 64)
	return kilobytes << 10
}

// machineMemory gives the bytes of memory that there are, for this container if
// it is one.
func machineMemory() uint64 {
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
