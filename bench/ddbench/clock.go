package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// A clock measures the processor time of this process, without processes of tests, and without
// excluded work: starting tests, which counts as their time, and measuring.
type clock struct {
	begun, apart time.Duration
}

func startClock() *clock { return &clock{begun: processorTime()} }

func (c *clock) elapsed() time.Duration { return processorTime() - c.begun - c.apart }

// without excludes work. It must not be called concurrently.
func (c *clock) without(do func()) {
	before := processorTime()
	do()
	c.apart += processorTime() - before
}

func processorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return nanoseconds(u.Utime) + nanoseconds(u.Stime)
}

func nanoseconds(t unix.Timeval) time.Duration { return time.Duration(t.Nano()) }
