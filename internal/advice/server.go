package advice

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

// serverUninteresting says what a server answered for the input.
func (c Case) serverUninteresting(run oracle.Run) error {
	hint := "it must answer interesting"
	switch {
	case run.TimedOut:
		hint = "see --timeout"
	case run.Exceeded != oracle.NoLimit:
		hint = "see --memory-limit and --disk-limit"
	case run.Outcome == algo.Interesting:
		hint = "when asked again: the test is flaky"
	}
	return uninteresting(fmt.Sprintf("%v: the test server %s does not find %s interesting (%s; %s)%s",
		whittle.ErrUninteresting, c.Test, c.Input.Paths[0], run.Reply, hint, askByHand(c.Run, run.Output)))
}

// ServerFailure adds to an error of a test server what the server said, and how to ask
// it by hand. Other errors stay as they are.
func ServerFailure(s *run.Run, err error) error {
	var failure *server.Error
	if !errors.As(err, &failure) {
		return err
	}
	return &oracle.EnvironmentError{Err: fmt.Errorf("the test server %s failed: %s%s",
		s.Test, failure.Reason, askByHand(s, failure.Stderr))}
}

// askByHand says how to ask a server by hand, and what it said on its standard error.
func askByHand(s *run.Run, stderr []byte) string {
	path, err := filepath.Abs(s.Input.Paths[0])
	if err != nil {
		path = s.Input.Paths[0]
	}
	home, err := os.Getwd()
	if err != nil {
		home = "."
	}
	command := s.Test.Server
	if shell.Quote(command) != command { // more than one word
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
