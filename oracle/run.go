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
	Signal   string        // the signal that ended the test, as "segmentation fault"; "" if none did
	Timeout  time.Duration // the time limit it had, 0 for none
	TimedOut bool          // the test was killed because it exceeded that
	Exceeded Limit         // another limit that it exceeded
	Matched  bool          // the output matched Criteria.Output
	Counts   []int         // of lines of the output that match each of Criteria.Lines
	Reply    string        // of a Server: `it answered "unresolved"`, or why it did not; else ""
	Output   []byte        // end of what it wrote to stdout and stderr, interleaved: at most 256 KiB
	Cut      bool          // Output lacks its beginning
	Stripped bool          // escape sequences, as of colours, were taken out of the output
	Elapsed  time.Duration // from the test's start until it and what it left behind were dead

	Processor time.Duration  // that its processes have used, as far as that was seen
	Died      syscall.Signal // that ended it, or a program that it ran as a shell

	Worker string // the machine that ran it, as it calls itself; "" is this one, or not known
	Cached bool   // it was answered by what a cluster remembers of an earlier test
}

// DiedBy returns the name of the signal that ended the test, or a program that it ran
// as a shell; "" if none did.
func (r Run) DiedBy() string {
	if r.Died == 0 {
		return ""
	}
	return unix.SignalName(r.Died)
}

// Ended reports whether the test ended by itself, with this exit code.
func (r Run) Ended(code int) bool {
	return !r.TimedOut && r.Exceeded == NoLimit && r.Signal == "" && r.ExitCode == code
}
