// Command whittle shrinks a file while a test keeps passing.
//
// Results go to files and stdout, messages to stderr. An error is one message that
// begins with "whittle: ".
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/grammars"
	"whittle/internal/dropin"
	"whittle/internal/failure"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/sandbox"
	"whittle/internal/serverscript"
	"whittle/internal/tmin"
	"whittle/internal/usage"
	"whittle/oracle"
)

func main() {
	grammars.ServeChild()
	switch {
	case !sandbox.IsHelper(os.Args):
		os.Exit(dropin.Run(execute))
	case sandbox.Serve() != nil:
		os.Exit(exitEnvironment)
	}
}

// execute runs the command line and returns the exit code.
func execute() int {
	root := rootCommand()
	root.SetArgs(usage.WithDefault(root, "reduce", os.Args[1:]))
	root.SetOut(stdout{})
	ctx := run.SignalContext()
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if _, ok := err.(exitError); command == root && !ok { // an unknown command
		err = usagef("%s\nTo shrink a file: whittle FILE -- COMMAND. See 'whittle --help'.", strings.TrimSpace(err.Error()))
	}
	closed := run.Interrupted{Signal: syscall.SIGPIPE}
	if err = run.Cause(ctx, err); errors.Is(err, syscall.EPIPE) || errors.Is(err, closed) {
		return exitCode(closed) // no message, like a process that the signal kills
	}
	fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %v\n", err)
	return exitCode(err)
}

// stdout is standard output. A failed write is an error of the environment.
type stdout struct{}

func (stdout) Write(text []byte) (int, error) {
	n, err := os.Stdout.Write(text)
	if err != nil {
		err = oracle.Errorf("cannot write to standard output: %w", err)
	}
	return n, err
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "whittle [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle [flags] TEST FILE...",
		Short: "Shrink a file while it shows the same failure",
		Long: `whittle shrinks a file while it shows the same failure. A program that crashes a
compiler becomes the few lines that belong in a bug report.

Give it the file and the command that fails, with {} for the file:

  whittle small.c -- gcc -O2 -c {}

whittle prints how it recognises the failure, and shrinks a copy of the file;
small.c does not change. The best result so far is always in small.reduced.c.
Ctrl-C stops; the same command continues. Add --report for a bug report to paste.

A test of your own is a program that exits with 0 if the failure is still there:

  whittle test.sh small.c

Both are short for 'whittle reduce'; 'whittle reduce --help' lists its flags.`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("whittle {{.Version}}\n" + usage.Platform() + "\n")
	root.SetUsageFunc(usage.Print)
	root.SetHelpFunc(usage.Help)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w", usage.ExplainFlag(c, err))
	})
	root.AddCommand(reduceCommand(), batchCommand(), checkCommand(), testCommand(), isolateCommand(), reportCommand(),
		bisectCommand(), grammarCommand(), rulesCommand(), languagesCommand(), serverscript.NewCommand(usagef),
		tmin.NewCommand(usagef, again), versionCommand(), manCommand())
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, names []string) error {
		if _, rest, err := root.Find(names); err != nil || len(rest) > 0 {
			return usagef("there is no command %s; see 'whittle --help'", strings.Join(names, " "))
		}
		return nil
	}
	return root
}

// again runs another command.
func again(ctx context.Context, args []string) error {
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout{})
	return root.ExecuteContext(ctx)
}

// The exit codes, as documented in the README.
const (
	exitDone        = 0
	exitNo          = 1 // the input is not interesting, the test is bad, a file does not parse, …
	exitUsage       = 2
	exitEnvironment = 3
	exitSignal      = 128 // plus the signal's number
)

// exitError is an error with its exit code.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// usagef formats an error in the arguments.
func usagef(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// nof formats a negative answer.
func nof(format string, args ...any) error { return exitError{exitNo, fmt.Errorf(format, args...)} }

// exitCode returns the exit code for an error. The default is wrong usage.
func exitCode(err error) int {
	var signal run.Interrupted
	var exit exitError
	switch {
	case errors.As(err, &signal):
		return exitSignal + int(signal.Signal)
	case errors.As(err, new(*oracle.EnvironmentError)):
		return exitEnvironment
	case errors.Is(err, whittle.ErrUninteresting), errors.As(err, new(*failure.UnfitError)):
		return exitNo
	case errors.As(err, &exit):
		return exit.code
	}
	return exitUsage
}
