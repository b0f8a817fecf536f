package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/run"
	"whittle/internal/usage"
	"whittle/internal/valid"
	"whittle/oracle"
)

// guardFlags say what a candidate must be besides interesting.
type guardFlags struct {
	valid   string
	noValid bool
	differs []string // one or two commands
}

// anyProgram is what --valid says without a command.
const anyProgram = "any"

func (f *guardFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.valid, "valid", "", "keep the result valid: other compilers of this machine that accept FILE "+
		"must accept it, too, with no new warning of what may be undefined; or this shell `command` must, with {} "+
		"for the candidate (default for a COMMAND that is a compiler, see docs/guards.md)")
	flags.Lookup("valid").NoOptDefVal = anyProgram
	flags.BoolVar(&f.noValid, "no-valid", false, "the result may be invalid")
	flags.StringArrayVar(&f.differs, "differs", nil, "instead of TEST, two shell `commands` that should come to the "+
		"same with FILE, which is {}, and do not: whittle small.c --differs 'gcc -O0 {}' 'gcc -O2 {}'; what compilers "+
		"make is run")
	usage.Group(flags, usage.Test, "valid", "no-valid", "differs")
}

// check finds mistakes in the flags.
func (f *guardFlags) check() error {
	if f.valid != "" && f.noValid {
		return usagef("--valid and --no-valid exclude each other")
	}
	return nil
}

// newCall is newCall of the arguments, among which may be the second command of --differs.
func (f *guardFlags) newCall(command string, args []string, dash int, server string) (call, error) {
	if len(f.differs) == 0 {
		return newCall(command, args, dash, server)
	}
	commands, inputs := f.differs, args
	if i := slices.IndexFunc(args, isCommand); len(commands) == 1 && i >= 0 {
		commands, inputs = []string{commands[0], args[i]}, slices.Delete(slices.Clone(args), i, i+1)
	}
	switch {
	case len(commands) != 2:
		return call{}, usagef("--differs needs two commands, and got %d; for example: "+
			"whittle small.c --differs 'gcc -O0 {}' 'gcc -O2 {}'", len(commands))
	case server != "" || dash >= 0:
		return call{}, usagef("--differs is a test, and a command after -- or --server is another; one of them must go")
	case commands[0] == commands[1]:
		return call{}, usagef("--differs: the two commands are the same")
	case len(inputs) == 0:
		return call{}, usagef("%[1]s needs a FILE for the two commands; see 'whittle %[1]s --help'", command)
	}
	return call{run.Test{Differs: &valid.DiffTest{commands[0], commands[1]}}, inputs}, nil
}

// isCommand reports whether an argument is a line for a shell, and no file.
func isCommand(arg string) bool {
	_, err := os.Lstat(arg)
	return err != nil && (strings.Contains(arg, oracle.Placeholder) || strings.Contains(arg, " "))
}

// guards is what the flags say.
func (f *guardFlags) guards() run.Valid {
	v := run.Valid{Off: f.noValid, On: f.valid == anyProgram}
	if !v.On {
		v.Command = f.valid
	}
	return v
}
