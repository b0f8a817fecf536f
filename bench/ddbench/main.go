// Command ddbench measures list algorithms and drivers like the papers: it runs a matrix of them
// over reduction cases, records each run, and produces tables, plots and significance tests.
//
// Results go to files and stdout, messages to stderr. An error is one message that begins with
// "ddbench: ".
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"whittle/oracle"
)

// The exit codes of whittle.
const (
	exitFailed      = 1 // some runs failed
	exitUsage       = 2
	exitEnvironment = 3
	exitInterrupted = 130
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := rootCommand().ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "ddbench: %v\n", err)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.As(err, new(*oracle.EnvironmentError)):
		return exitEnvironment
	}
	return exitFailed
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "ddbench",
		Short: "Measure reductions as the papers on delta debugging do",
		Long: `Measure reductions as the papers on delta debugging do.

A case is a folder with one input, small.* or input.*, and a test.sh that decides whether
the file of that name in its current directory is interesting. 'ddbench run' reduces
each case with each driver and algorithm, and stores the results; repeat the command to
continue an interrupted run. 'ddbench report' makes tables and plots.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
	})
	root.AddCommand(runCommand(), reportCommand(), questionCommand(), questionsCommand(), evaluateCommand(),
		changesCommand(), compareCommand(), workersCommand(), childCommand())
	return root
}

type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
