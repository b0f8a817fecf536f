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
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"whittle"
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
	if isParser(os.Args) {
		os.Exit(serveParser())
	}
	os.Exit(run())
}

// run runs the command line and gives the exit code.
func run() int {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	// A broken pipe is a signal like the others: without this, a reader of our
	// stderr who goes away would kill us before we have cleaned up.
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) { // else nohup wants us to go on
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			stop(interrupted{s.(syscall.Signal)})
		}
	}()
	root := rootCommand()
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitReduced
	}
	if _, ok := err.(usageError); command == root && !ok { // cobra's, about unknown commands
		err = usagef("%s\nSee 'whittle --help'.", strings.TrimSpace(err.Error()))
	}
	if errors.Is(err, syscall.EPIPE) {
		err = interrupted{syscall.SIGPIPE}
	}
	fmt.Fprintf(printer{os.Stderr}, "whittle: %v\n", err)
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

// interrupted is the end by a signal.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "interrupted by " + unix.SignalName(i.signal) }

func exitCode(err error) int {
	var signal interrupted
	var environment *oracle.EnvironmentError
	var bad unparsed
	var badTest badTest
	var notApart notApart
	var nothing nothing
	switch {
	case errors.As(err, &signal):
		return exitSignal + int(signal.signal)
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
