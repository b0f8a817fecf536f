package oracle

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Spec describes a test. As in C-Reduce, a program runs in a fresh private directory with the
// candidate, and exits with 0 if the candidate is interesting.
//
// The program gets
//   - the candidate by its Layout, and an empty hidden directory next to it, or next to the
//     directory of several files, as TMPDIR, TMP and TEMP;
//   - the arguments of Argv, with the name of the candidate for each Placeholder;
//   - the environment Env, with PWD, and with Home as WHITTLE_TEST_DIR;
//   - the candidate as standard input if Stdin is set, else /dev/null.
//
// By the zero Criteria, exit status 0 is Interesting, 125 is Unresolved as in git bisect, and any
// other end is Uninteresting. A test that exceeds a limit is killed and Unresolved.
type Spec struct {
	Argv        []string // absolute path of the program, and arguments
	Before      []string // a program, by its absolute path, that starts the program; may be empty
	Home        string   // "" means the directory of the program
	Env         []string // nil means the environment of this process
	Stdin       bool     // the candidate is also standard input
	Layout               // of the candidate
	Interesting Criteria
	Timeout     time.Duration // elapsed time; 0 means no limit
	Processor   time.Duration // processor time of all processes; 0 means no limit
	Process     time.Duration // processor time of one process; 0 means no limit
	Idle        time.Duration // time without a processor; 0 means no limit
	Limits
	// Reason, if not nil, returns the meaning of a line of output for the candidate, or "": a place, as "small.c:5:17" or
	// "-", and the names in the message, the most important first. [Clue] is before a message that is no error, [Place]
	// before a place without message.
	Reason     func(line []byte) string
	KeepOutput bool // keep the end of the output
	Hasty      bool // kill the test once its output alone makes it interesting; see [Criteria.Certain]
	RawOutput  bool // with escape sequences, which patterns never see
	Afresh     bool // not from a cluster's cache
}

// Placeholder in the arguments of a Spec is replaced by the candidate's name.
const Placeholder = "{}"

// Arguments returns the program and its arguments. The candidate's name has no directory, so that
// behaviour and messages stay the same.
func (s *Spec) Arguments() []string { return s.ArgumentsIn("") }

// ArgumentsIn is Arguments in a directory, for an Absolute name.
func (s *Spec) ArgumentsIn(dir string) []string {
	argv, name := slices.Clone(s.Argv), s.argument()
	if s.Absolute && dir != "" {
		name = filepath.Join(dir, name)
	}
	for i := range argv[1:] {
		argv[i+1] = strings.ReplaceAll(argv[i+1], Placeholder, name)
	}
	return slices.Concat(s.Before, argv)
}

// LimitTime sets Timeout and removes the other limits of time.
func (s *Spec) LimitTime(timeout time.Duration) {
	s.Timeout, s.Processor, s.Process, s.Idle = timeout, 0, 0, 0
}

// Check returns an error if the fields make no sense.
func (s *Spec) Check() error {
	if len(s.Argv) == 0 || !filepath.IsAbs(s.Argv[0]) {
		return Errorf("the path of the test program is not absolute: %q", s.Argv)
	}
	return s.Layout.check()
}
