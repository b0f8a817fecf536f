package explain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"whittle"
	"whittle/algo"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/server"
	"whittle/internal/shell"
	"whittle/oracle"
)

func serverUninteresting(r *run.Run, run oracle.Run) error {
	hint := "it must answer interesting"
	switch {
	case run.TimedOut:
		hint = "see --timeout"
	case run.Exceeded != oracle.NoLimit:
		hint = "see --memory-limit and --disk-limit"
	case run.Outcome == algo.Interesting:
		hint = "when asked again: the test is flaky"
	}
	return uninterestingError(fmt.Sprintf("%v: the test server %s does not find %s interesting (%s; %s)%s",
		whittle.ErrUninteresting, r.Test, r.Input.Paths[0], run.Reply, hint, askByHand(r, run.Output)))
}

// Server adds the server's output, and how to ask it by hand, to its error; other errors stay.
func Server(r *run.Run, err error) error {
	var failure *server.Error
	if !errors.As(err, &failure) {
		return err
	}
	return oracle.Errorf("the test server %s failed: %s%s",
		r.Test, failure.Reason, askByHand(r, failure.Stderr))
}

// askByHand returns a shell command for a question, and the end of standard error.
func askByHand(r *run.Run, stderr []byte) string {
	path, err := filepath.Abs(r.Input.Paths[0])
	if err != nil {
		path = r.Input.Paths[0]
	}
	home, err := os.Getwd()
	if err != nil {
		home = "."
	}
	command := r.Test.Server
	if shell.Quote(command) != command { // several words
		command = "sh -c " + shell.Quote(command)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nTo ask it by hand:\n  cd %s && echo %s | WHITTLE_TEST_DIR=%[1]s %[3]s\n",
		shell.Quote(home), shell.Quote(path), command)
	if said := printable.String(lastLines(stderr)); said != "" {
		fmt.Fprintf(&b, "The last it said on standard error:\n%s", indent(said))
	} else {
		fmt.Fprint(&b, "It said nothing on standard error.")
	}
	return b.String()
}
