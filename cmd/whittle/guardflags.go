package main

import (
	"github.com/spf13/cobra"

	"whittle/internal/session"
	"whittle/internal/usage"
)

// guardFlags say what a candidate must be besides interesting.
type guardFlags struct {
	valid   string
	noValid bool
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
	usage.Group(flags, usage.Test, "valid", "no-valid")
}

// check finds mistakes in the flags.
func (f *guardFlags) check() error {
	if f.valid != "" && f.noValid {
		return usagef("--valid and --no-valid exclude each other")
	}
	return nil
}

// guards is what the flags say.
func (f *guardFlags) guards() session.Valid {
	v := session.Valid{Off: f.noValid, On: f.valid == anyProgram}
	if !v.On {
		v.Command = f.valid
	}
	return v
}
