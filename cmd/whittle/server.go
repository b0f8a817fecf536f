package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/internal/printable"
	"whittle/oracle"
	"whittle/oracle/local"
	"whittle/oracle/server"
)

// serverFlags name a test that stays running.
type serverFlags struct {
	server string
}

func (f *serverFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.server, "server", "", "instead of TEST, a shell `command` that stays running, reads the path of a candidate per line, and answers interesting, uninteresting or unresolved")
}

// check finds mistakes in the flags.
func (f *serverFlags) check(t testFlags) error {
	switch {
	case f.server == "":
	case t.stdin:
		return usagef("--stdin and --server exclude each other: a server reads paths from its standard input")
	case t.exits != "" || t.printed != "" || t.signalled != "" || t.hangs:
		return usagef("--server and flags --interesting-... exclude each other: a server says itself what is interesting")
	}
	return nil
}

// testCommand is how a test is run: the command, where, and for how long.
type testCommand struct {
	oracle.Spec
	local.Executor
	adaptive oracle.AdaptiveTimeout
}

// newTest returns the test that a call and its command ask for, and what to do
// when it is not needed any more.
func newTest(ctx context.Context, call call, c *testCommand, jobs int, input []byte) (oracle.Test, func()) {
	end := func() {}
	c.adaptive.Executor = &c.Executor
	if call.server != "" {
		s := server.New(ctx, server.Options{Work: c.Work, Reaper: c.Reaper, Jobs: jobs, Known: input})
		c.adaptive.Executor, end = s, func() { s.Close() }
	}
	return oracle.Test{Spec: c.Spec, Executor: &c.adaptive}, end
}

// serverCommand is the command that starts the server of a call. The shell runs
// it in the current directory.
func (c call) serverCommand() (*testCommand, error) {
	home, err := os.Getwd()
	if err != nil {
		return nil, usagef("cannot find the current directory: %w", err)
	}
	return &testCommand{Spec: oracle.Spec{Argv: []string{"/bin/sh", "-c", c.server}, Home: home}}, nil
}

// explainServer tells what a server said of the input.
func (c call) explainServer(command *testCommand, run oracle.Run) error {
	file := c.inputs[0]
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
		whittle.ErrUninteresting, c, file, run.Reply, hint, c.serverTalk(command.Home, run.Output)))
}

// explainFailure adds to an error of a test server what the server said.
func (c call) explainFailure(err error) error {
	var failure *server.Error
	if !errors.As(err, &failure) {
		return err
	}
	home, e := os.Getwd()
	if e != nil {
		home = "."
	}
	return &oracle.EnvironmentError{Err: fmt.Errorf("the test server %s failed: %s%s", c, failure.Reason, c.serverTalk(home, failure.Stderr))}
}

// serverTalk is how to ask a server by hand, and what it said on its standard
// error.
func (c call) serverTalk(home string, stderr []byte) string {
	path, err := filepath.Abs(c.inputs[0])
	if err != nil {
		path = c.inputs[0]
	}
	command := c.server
	if quote(command) != command { // more than one word
		command = "sh -c " + quote(command)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nTo ask it by hand:\n  cd %s && echo %s | WHITTLE_TEST_DIR=%s %s\n", quote(home), quote(path), quote(home), command)
	if said := printable.String(lastLines(stderr)); said != "" {
		fmt.Fprintf(&b, "The last it said on standard error:\n%s", indent(said))
	} else {
		fmt.Fprint(&b, "It said nothing on standard error.")
	}
	return b.String()
}
