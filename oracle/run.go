package oracle

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"whittle/algo"
)

// A Run is the full report of one test.
type Run struct {
	Outcome  algo.Outcome
	ExitCode int           // -1 after a signal
	Signal   string        // as "segmentation fault", or ""
	Timeout  time.Duration // 0 means no limit
	TimedOut bool          // killed by the time limit
	Exceeded Limit         // another exceeded limit
	Matched  bool          // Criteria.Output matched
	Counts   []int         // numbers of lines that match each of Criteria.Lines
	Reply    string        // of a server, as `it answered "unresolved"`, or its error
	Output   []byte        // last 256 KiB of stdout and stderr, interleaved
	Cut      bool          // Output lacks its beginning
	Stripped bool          // Output lacks escape sequences, as of colours
	Reasons  []string      // errors that the output shows, see Spec
	Elapsed  time.Duration // until all its processes were dead

	Processor time.Duration  // of its processes, if observed
	Longest   time.Duration  // processor time of the busiest process, if observed
	Waited    time.Duration  // longest time without a processor, if observed
	Died      syscall.Signal // signal of the test, or of a program that it ran as a shell

	Worker string // machine that ran it; "" if this one or unknown
	Cached bool   // from the cache of a cluster
}

// DiedBy returns the name of Died, or "".
func (r Run) DiedBy() string {
	if r.Died == 0 {
		return ""
	}
	return unix.SignalName(r.Died)
}

// Ended reports whether the test ended by itself with the exit code.
func (r Run) Ended(code int) bool {
	return !r.TimedOut && r.Exceeded == NoLimit && r.Signal == "" && r.ExitCode == code
}
