package oracle

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Spec describes a test. C-Reduce has the same contract: a program runs in a fresh private
// directory with the candidate, and exits with 0 if the candidate is interesting.
//
// The program gets
//   - the candidate by its Layout, and an empty hidden directory next to it, to which TMPDIR,
//     TMP and TEMP are set (if the candidate has several files, next to their directory);
//   - the arguments of Argv, with the name of the candidate for each Placeholder;
//   - the environment Env, with PWD corrected and WHITTLE_TEST_DIR set to Home, the place of its
//     auxiliary files;
//   - the candidate as standard input if Stdin is set, else /dev/null.
//
// By the zero Criteria, exit status 0 is Interesting, 125 is Unresolved as in git bisect, and
// every other status and every signal is Uninteresting. A test that exceeds its Timeout or
// another limit is killed and Unresolved. A test that ends by itself is judged by its end, even
// if that is noticed late.
type Spec struct {
	Argv        []string // absolute path of the test program, and its arguments
	Home        string   // value of WHITTLE_TEST_DIR; "" means the directory of the program
	Env         []string // nil means the environment of this process
	Stdin       bool     // the candidate is also the standard input
	Layout               // of the candidate in the directory of the test
	Interesting Criteria
	Timeout     time.Duration // limit of elapsed time; 0 means no limit
	Processor   time.Duration // limit of the processor time of all its processes; 0 means no limit
	Idle        time.Duration // limit of the time without use of a processor; 0 means no limit
	Limits                    // of other resources
	KeepOutput  bool          // keep the end of the output in the Run
	RawOutput   bool          // with escape sequences of terminals; patterns never see them
	Afresh      bool          // no cache of a cluster may answer
}

// Placeholder is replaced by the name of the candidate in the arguments of a Spec.
const Placeholder = "{}"

// Arguments returns the program and its arguments. The candidate's name has no directory, since
// the test runs in that directory: its behaviour and its messages stay the same each time.
func (s *Spec) Arguments() []string {
	argv := slices.Clone(s.Argv)
	for i := range argv[1:] {
		argv[i+1] = strings.ReplaceAll(argv[i+1], Placeholder, s.argument())
	}
	return argv
}

// Check returns an error if the fields make no sense.
func (s *Spec) Check() error {
	if len(s.Argv) == 0 || !filepath.IsAbs(s.Argv[0]) {
		return Errorf("the path of the test program is not absolute: %q", s.Argv)
	}
	return s.Layout.check()
}
