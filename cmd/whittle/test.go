package main

import (
	"context"

	"github.com/spf13/cobra"

	"whittle/internal/explain"
	"whittle/internal/interrupt"
)

func testCommand() *cobra.Command {
	return withRun(onTest, &cobra.Command{
		Use: "test [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle test [flags] FILE... --differs COMMAND COMMAND",
		Short: "Write the test that COMMAND stands for as a script",
		Long: `Write the test that whittle derives from COMMAND to stdout, as a script.

whittle runs the command as 'whittle FILE... -- COMMAND' does, to find out how to recognise
its failure and how to check that a result is valid. The script runs in a directory that
contains the candidate, named like FILE. It prints nothing, and exits with 0 if the
candidate is interesting: a test for whittle, C-Vise and C-Reduce, which you can edit.

Exit codes: 0 the script was written; 1 the failure cannot be told from that of an empty
file; 2 wrong usage; 3 the environment failed; 130 or 143 interrupted by SIGINT or SIGTERM.`,
		Example: "  whittle test small.c -- gcc -O2 -c {} >test.sh && chmod +x test.sh\n" +
			"  cvise test.sh small.c",
	}, func(ctx context.Context, s *session) error {
		if !s.Test.Inline && s.Test.Differs == nil {
			return usagef("test needs a command; for example: whittle test small.c -- gcc -c {} >test.sh")
		}
		text, err := interrupt.Wait(ctx, func() ([]byte, error) { return explain.Script(ctx, s.Run, s.inputs) })
		if err == nil {
			_, err = s.out.Write(text)
		}
		return err
	})
}
