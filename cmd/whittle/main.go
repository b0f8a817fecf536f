// Command whittle shrinks a file while a test keeps passing.
//
// Results go to files and stdout, talk to stderr. Errors are one message that
// begins with "whittle: ".
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/internal/interrupt"
	"whittle/internal/parsers"
	"whittle/internal/printable"
	"whittle/oracle"
)

// The exit codes, as documented in the README.
const (
	exitReduced       = 0
	exitUninteresting = 1
	exitUnparsed      = 1
	exitBadTest       = 1
	exitNotApart      = 1
	exitUsage         = 2
	exitEnvironment   = 3
	exitSignal        = 128 // plus the signal's number
)

func main() {
	if parsers.IsChild(os.Args) {
		if parsers.Serve() != nil {
			os.Exit(exitEnvironment)
		}
		return
	}
	os.Exit(run())
}

// run runs the command line and gives the exit code.
func run() int {
	ctx, stop := interrupt.Context()
	defer stop()
	root := rootCommand()
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitReduced
	}
	if _, ok := err.(usageError); command == root && !ok { // cobra's, about unknown commands
		err = usagef("%s\nSee 'whittle --help'.", strings.TrimSpace(err.Error()))
	}
	if errors.Is(err, syscall.EPIPE) {
		err = interrupt.Error{Signal: syscall.SIGPIPE}
	}
	fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %v\n", err)
	return exitCode(err)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "whittle",
		Short: "Shrink a file while a test keeps passing",
		Long: "whittle shrinks a file while a test keeps passing: a program that crashes a\n" +
			"compiler becomes the few lines that belong in the bug report.",
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("whittle {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
	})
	root.AddCommand(reduceCommand(), checkCommand(), isolateCommand(), grammarCommand(), languagesCommand(), versionCommand())
	return root
}

// usageError is a mistake in how whittle was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error) int {
	var signal interrupt.Error
	var environment *oracle.EnvironmentError
	var bad unparsed
	var badTest badTest
	var notApart notApart
	var nothing nothing
	switch {
	case errors.As(err, &signal):
		return exitSignal + int(signal.Signal)
	case errors.As(err, &environment):
		return exitEnvironment
	case errors.Is(err, whittle.ErrUninteresting), errors.As(err, &nothing):
		return exitUninteresting
	case errors.As(err, &bad):
		return exitUnparsed
	case errors.As(err, &badTest):
		return exitBadTest
	case errors.As(err, &notApart):
		return exitNotApart
	}
	return exitUsage
}
