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
	ExitCode int           // exit status of the test, -1 if a signal ended it
	Signal   string        // signal that ended the test, as "segmentation fault"; or ""
	Timeout  time.Duration // time limit; 0 means no limit
	TimedOut bool          // the test was killed by its time limit
	Exceeded Limit         // another limit that it exceeded
	Matched  bool          // the output matched Criteria.Output
	Counts   []int         // numbers of output lines that match each of Criteria.Lines
	Reply    string        // answer of a server, as `it answered "unresolved"`, or its error; else ""
	Output   []byte        // end of stdout and stderr, interleaved: at most 256 KiB
	Cut      bool          // Output lacks its beginning
	Stripped bool          // escape sequences, as of colours, were removed from the output
	Elapsed  time.Duration // until the test and all processes it left were dead

	Processor time.Duration  // processor time of its processes, if observed
	Died      syscall.Signal // signal that ended the test, or a program that it ran as a shell

	Worker string // name of the machine that ran it; "" if it is this machine, or unknown
	Cached bool   // a cluster answered from its cache
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
