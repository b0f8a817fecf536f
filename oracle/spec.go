package oracle

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/internal/environment"
)

// A Spec says what a test is. The contract is that of C-Reduce: a program runs in a
// fresh private directory that holds the candidate, and exits with 0 if that is
// interesting.
//
// The program finds
//   - the candidate as its Layout says, and beside it (beside its directory, if it is more
//     than one file) only an empty hidden directory, to which TMPDIR, TMP and TEMP are set;
//   - the arguments of Argv, with the candidate's name for each Placeholder;
//   - the environment Env, with PWD corrected and WHITTLE_TEST_DIR set to Home, where
//     its auxiliary files are;
//   - the candidate as standard input if Stdin is set, else /dev/null.
//
// How the test ends decides. By the zero Criteria exit status 0 is Interesting,
// 125 is Unresolved as in git bisect, every other status and every death by a
// signal is Uninteresting. A test that is still running after Timeout, or exceeds
// another limit, is killed and Unresolved; one that ends by itself is judged by its
// end, however late that is noticed.
type Spec struct {
	Argv        []string // absolute path of the test program, and its arguments
	Home        string   // what WHITTLE_TEST_DIR says; "" is the directory of the program
	Env         []string // nil is the environment of this process
	Stdin       bool     // the candidate is also the standard input
	Layout               // how the candidate lies in the test's directory
	Interesting Criteria
	Timeout     time.Duration // limit on the wall; 0 is none
	Processor   time.Duration // limit of the time of processors that its processes use together; 0 is none
	Idle        time.Duration // limit of the time in which they use no processor; 0 is none
	Limits                    // of what else a test may use
	KeepOutput  bool          // a Run has the end of what the test prints
	RawOutput   bool          // that has escape sequences of terminals, too; patterns see none in any case
	Afresh      bool          // no outcome of an earlier test may answer, whoever ran it
}

// Placeholder stands for the candidate in the arguments of a Spec.
const Placeholder = "{}"

// Arguments returns the program and its arguments as a test gets them. The
// candidate has no directory there, as the test runs beside it: so what a test
// does and says is the same each time.
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
		return environment.Errorf("the path of the test program is not absolute: %q", s.Argv)
	}
	return s.Layout.check()
}
