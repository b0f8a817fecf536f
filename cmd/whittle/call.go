package main

import (
	"github.com/dustin/go-humanize/english"
	"os"

	"whittle/internal/run"
)

// call is what the user wants done, as the arguments say it: a test, and what
// to reduce.
type call struct {
	test   run.Test
	inputs []string
}

// newCall takes the arguments of a command apart: TEST FILE..., or FILE... -- COMMAND ARG..., or
// FILE... alone if there is a server. The number of those before -- is dash, -1
// if there is none.
func newCall(command string, args []string, dash int, server string) (call, error) {
	c := call{test: run.Test{Inline: dash > 0, Server: server}}
	switch {
	case dash == 0 && (len(args) < 2 || !isFile(args[1])): // else it is -- TEST FILE
		return c, usagef("there is no FILE before --; for example: whittle %s small.c -- gcc -c {}", command)
	case server != "" && dash >= 0:
		return c, usagef("--server and a command after -- are two tests; one of them must go")
	case server != "" && len(args) == 0:
		return c, usagef("%[1]s needs a FILE for the server to test; see 'whittle %[1]s --help'", command)
	case server != "":
		c.inputs = args
	case c.test.Inline:
		c.inputs, c.test.Argv = args[:dash], args[dash:]
		if len(c.test.Argv) == 0 {
			return c, usagef("there is no command after --; for example: whittle %s small.c -- gcc -c {}", command)
		}
	case len(args) < 2:
		return c, usagef("%[1]s needs a TEST and a FILE, and got %[2]s; see 'whittle %[1]s --help'",
			command, english.Plural(len(args), "argument", ""))
	default:
		c.test.Argv, c.inputs = args[:1], args[1:]
	}
	return c, nil
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
