package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"whittle/internal/diagnose"
	"whittle/internal/usage"
	"whittle/oracle"
)

// testFlags say what a test gets, and which tests are interesting.
type testFlags struct {
	stdin                     bool
	exits, printed, signalled string
	hangs                     bool
	frames                    int
	server                    string // the command of a test that stays running

	interesting oracle.Criteria // what the last four say, after check
}

func (f *testFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.stdin, "stdin", false, "give the candidate to the test as standard input, too")
	flags.StringVar(&f.exits, "interesting-exit", "", "interesting are these exit `codes`, as 1 or 1,3,70-79 (default 0)")
	flags.StringVar(&f.printed, "interesting-output", "", "interesting is a line of stdout or stderr "+
		"that matches this regular `expression`")
	flags.StringVar(&f.signalled, "interesting-signal", "", "interesting is death by these `signals`, "+
		"as SEGV or SEGV,ABRT or any")
	flags.BoolVar(&f.hangs, "interesting-timeout", false, "interesting is a test that does not end within --timeout")
	flags.IntVar(&f.frames, "frames", diagnose.Frames, "`number` of functions of a stack that a crash is known by: "+
		"1 is the innermost alone, whoever calls it")
	flags.StringVar(&f.server, "server", "", "instead of TEST, a shell `command` that stays running, "+
		"reads the path of a candidate per line, and answers interesting, uninteresting or unresolved")
	usage.Group(flags, usage.Test, "stdin", "interesting-exit", "interesting-output", "interesting-signal",
		"interesting-timeout", "frames", "server")
}

// check finds mistakes in the flags; limited says that there is a time limit.
func (f *testFlags) check(limited bool) error {
	var err error
	if f.exits != "" {
		if f.interesting.ExitCodes, err = oracle.ParseExitCodes(f.exits); err != nil {
			return usagef("--interesting-exit: %w", err)
		}
	}
	if f.signalled != "" {
		if f.interesting.Signals, err = oracle.ParseSignals(f.signalled); err != nil {
			return usagef("--interesting-signal: %w", err)
		}
	}
	if f.printed != "" {
		if f.interesting.Output, err = regexp.Compile("(?m)" + f.printed); err != nil {
			return usagef("--interesting-output: %w", err)
		}
	}
	if f.frames < 1 || f.frames > diagnose.Frames {
		return usagef("--frames %d: a crash is known by 1 to %d functions", f.frames, diagnose.Frames)
	}
	f.interesting.Timeout = f.hangs
	switch judged := f.exits != "" || f.printed != "" || f.signalled != "" || f.hangs; {
	case f.exits != "" && f.signalled != "":
		return usagef("--interesting-exit and --interesting-signal exclude each other: a test ends by one of them")
	case f.hangs && (f.exits != "" || f.signalled != ""):
		return usagef("--interesting-timeout excludes --interesting-exit and --interesting-signal: " +
			"a test that hangs does not end")
	case f.hangs && !limited:
		return usagef("--interesting-timeout needs --timeout, to say how long a hang is; for example --timeout 10s")
	case f.server != "" && f.stdin:
		return usagef("--stdin and --server exclude each other: a server reads paths from its standard input")
	case f.server != "" && judged:
		return usagef("--server and flags --interesting-... exclude each other: a server says itself what is interesting")
	}
	return nil
}

// interestingText is what is interesting in the user's words.
func (f *testFlags) interestingText() string {
	return fmt.Sprintf("%q %q %q %v", f.exits, f.printed, f.signalled, f.hangs)
}
