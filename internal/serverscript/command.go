package serverscript

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/usage"
)

// NewCommand returns the command that prints a script. It reports errors through wrong.
func NewCommand(wrong func(format string, args ...any) error) *cobra.Command {
	var names []string
	for _, s := range scripts {
		names = append(names, s.Name)
	}
	return &cobra.Command{
		Use:   "server-script " + strings.Join(names, "|"),
		Short: "Print a test server for a command that starts slowly",
		Long: `Print a test server, a program that runs java, javac or python for one candidate after
the other without starting it anew. Its first lines say how it is called; whittle names
the whole command line where tests are slow to start. See docs/tests.md.

Exit codes: 0 it was printed; 2 wrong usage.`,
		Example:   "  whittle server-script javac >Server.java",
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrong("server-script needs the name of one program: %s", strings.Join(names, ", "))
			}
			i := slices.Index(names, args[0])
			if i < 0 {
				return wrong("there is no server for %q%s; there are %s", args[0], usage.DidYouMean(args[0], names),
					strings.Join(names, ", "))
			}
			_, err := c.OutOrStdout().Write(scripts[i].Text)
			return err
		},
	}
}
