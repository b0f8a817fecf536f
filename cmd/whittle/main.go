// Command whittle shrinks a file while a test keeps passing.
//
// Results go to files and stdout, messages to stderr. An error is one message that
// begins with "whittle: ".
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whittle/grammars"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/sandbox"
	"whittle/internal/serverscript"
	"whittle/internal/usage"
	"whittle/oracle"
)

func main() {
	grammars.ServeChild()
	switch {
	case !sandbox.IsHelper(os.Args):
		os.Exit(execute())
	case sandbox.Serve() != nil:
		os.Exit(exitEnvironment)
	}
}

// execute runs the command line and returns the exit code.
func execute() int {
	root := rootCommand()
	root.SetArgs(withDefault(root, os.Args[1:]))
	root.SetOut(stdout{})
	ctx := interrupt.Context()
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if _, ok := err.(exitError); command == root && !ok { // an unknown command
		err = usagef("%s\nSee 'whittle --help'.", strings.TrimSpace(err.Error()))
	}
	closed := interrupt.Error{Signal: syscall.SIGPIPE}
	if err = interrupt.Cause(ctx, err); errors.Is(err, syscall.EPIPE) || errors.Is(err, closed) {
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
		hint := ""
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
			hint = usage.DidYouMean("--"+unknown.GetSpecifiedName(), usage.FlagNames(c))
		}
		return usagef("%w%s; see '%s --help'", err, hint, c.CommandPath())
	})
	root.AddCommand(reduceCommand(), batchCommand(), checkCommand(), testCommand(), isolateCommand(), reportCommand(),
		bisectCommand(), grammarCommand(), rulesCommand(), languagesCommand(), serverscript.NewCommand(usagef),
		versionCommand(), manCommand())
	return root
}
