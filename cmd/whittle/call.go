package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"whittle/oracle"
	"whittle/oracle/local"
)

// call is what the user wants done, as the arguments say it: a test, and what
// to reduce.
type call struct {
	test   []string // the test program and its arguments, as given
	inline bool     // the test is a command after --
	server string   // the shell command of a test that stays running; then there is no other
	inputs []string
}

// newCall takes the arguments of a command apart: TEST FILE..., or FILE... -- COMMAND ARG..., or
// FILE... alone if there is a server. The number of those before -- is dash, -1
// if there is none.
func newCall(command string, args []string, dash int, server string) (call, error) {
	c := call{inline: dash > 0, server: server}
	switch {
	case server != "" && dash >= 0:
		return c, usagef("--server and a command after -- are two tests; one of them must go")
	case server != "" && len(args) == 0:
		return c, usagef("%[1]s needs a FILE for the server to test; see 'whittle %[1]s --help'", command)
	case server != "":
		c.inputs = args
	case c.inline:
		c.inputs, c.test = args[:dash], args[dash:]
		if len(c.test) == 0 {
			return c, usagef("there is no command after --; for example: whittle %s small.c -- gcc -c {}", command)
		}
	case len(args) < 2:
		return c, usagef("%[1]s needs a TEST and a FILE, and got %[2]s; see 'whittle %[1]s --help'", command, english.Plural(len(args), "argument", ""))
	default:
		c.test, c.inputs = args[:1], args[1:]
	}
	return c, nil
}

// String is the test as the user wrote it.
func (c call) String() string {
	if c.server != "" {
		return c.server
	}
	if !c.inline {
		return c.test[0]
	}
	var words []string
	for _, w := range c.test {
		if w != oracle.Placeholder {
			w = quote(w)
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// unfitTest is why a test that is there cannot be run.
type unfitTest struct{ error }

// command finds the test and checks that it can be run. Relative names are
// taken from the current directory; the program of a command may be in PATH. The
// mode of the file to reduce tells whether that could have been meant as test.
func (c call) command(input fs.FileMode) (*testCommand, error) {
	if c.server != "" {
		return c.serverCommand()
	}
	test, home := c.test[0], ""
	if c.inline {
		var err error
		if home, err = os.Getwd(); err != nil {
			return nil, usagef("cannot find the current directory: %w", err)
		}
		if !strings.Contains(test, "/") {
			if test, err = exec.LookPath(test); err != nil {
				return nil, usagef("cannot find the command %s: %w", c.test[0], err)
			}
		}
	}
	info, err := os.Stat(test)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no test %s", test)
	case err != nil:
		return nil, usagef("cannot use the test: %w", err)
	case info.IsDir():
		return nil, usagef("the test %s is a directory; it must be a program", test)
	case !info.Mode().IsRegular():
		return nil, usagef("the test %s is not a program", test)
	case info.Mode()&0o111 == 0 && input&0o111 != 0 && !c.inline:
		return nil, usagef("the test %s is not executable, but the file to reduce is; the test comes first: whittle reduce TEST FILE", test)
	case info.Mode()&0o111 == 0:
		return nil, usageError{unfitTest{fmt.Errorf("the test %s is not executable; run: chmod +x %s", test, quote(test))}}
	}
	path, err := filepath.Abs(test)
	if err != nil {
		return nil, usagef("cannot find the test %s: %w", test, err)
	}
	program, err := local.NewProgram(path)
	if err != nil {
		return nil, err
	}
	return &testCommand{
		Spec:     oracle.Spec{Argv: slices.Concat([]string{path}, c.test[1:]), Home: home},
		Executor: local.Executor{Program: program},
	}, nil
}
