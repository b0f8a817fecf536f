package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"whittle/grammars"
)

func languagesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "languages",
		Short: "List the languages, their front ends and file names",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "LANGUAGE\tFRONT END\tFILES")
			for _, l := range grammars.All() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, l.FrontEnd, strings.Join(l.Names, " "))
			}
			return w.Flush()
		},
	}
}

// version is set by the linker at a release.
var version string

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			v := version
			if info, ok := debug.ReadBuildInfo(); ok && v == "" {
				v = info.Main.Version
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), "whittle", v)
			return err
		},
	}
}
