// Command whittle shrinks a file while a test keeps passing.
//
// Results go to files and stdout, talk to stderr. Errors are one message that
// begins with "whittle: ".
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/oracle"
)

// The exit codes, as documented in the README.
const (
	exitReduced       = 0
	exitUninteresting = 1
	exitUsage         = 2
	exitEnvironment   = 3
	exitSignal        = 128 // plus the signal's number
)

func main() { os.Exit(run()) }

// run runs the command line and gives the exit code.
func run() int {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			stop(interrupted{s.(syscall.Signal)})
		}
	}()
	err := rootCommand().ExecuteContext(ctx)
	if err == nil {
		return exitReduced
	}
	if cause := (interrupted{}); errors.As(context.Cause(ctx), &cause) && errors.Is(err, context.Canceled) {
		err = cause
	}
	fmt.Fprintf(os.Stderr, "whittle: %v\n", err)
	return exitCode(err)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "whittle",
		Short: "Shrink a file while a test keeps passing",
		Long: "whittle shrinks a file while a test keeps passing: a program that crashes a\n" +
			"compiler becomes the few lines that belong in the bug report.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
	})
	root.AddCommand(reduceCommand(), languagesCommand(), versionCommand())
	return root
}

// usageError is a mistake in how whittle was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// interrupted is the end by a signal.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "interrupted by a signal: " + i.signal.String() }

func exitCode(err error) int {
	var signal interrupted
	var environment *oracle.EnvironmentError
	switch {
	case errors.As(err, &signal):
		return exitSignal + int(signal.signal)
	case errors.As(err, &environment):
		return exitEnvironment
	case errors.Is(err, whittle.ErrUninteresting):
		return exitUninteresting
	}
	return exitUsage
}
