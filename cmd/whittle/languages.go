package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"whittle/grammars"
	"whittle/internal/usage"
)

func languagesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "languages",
		Short: "List the languages, their front ends and file names",
		Long: `List the languages, their front ends and file names.

--language takes one of these names, a file name extension such as py, or another common
name of a language, such as c++, golang or node.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "LANGUAGE\tFRONT END\tFILES")
			for _, l := range grammars.All() {
				files := strings.Join(l.Names, " ")
				switch {
				case l.Name == grammars.ForFile("").Name:
					files = "(all others)"
				case files == "":
					files = "(only with --language)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, l.FrontEnd, files)
			}
			return w.Flush()
		},
	}
}

// version is set by the linker at a release.
var version string

func versionText() string { return usage.Version(version) }

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "whittle %s\n%s\n", versionText(), usage.Platform())
			return err
		},
	}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 && c.HasSubCommands() {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		return usagef("%s has no command %q%s", c.Name(), args[0], usage.DidYouMean(args[0], names))
	}
	if len(args) > 0 {
		return usagef("%s takes no arguments, and got %q", c.Name(), args[0])
	}
	return nil
}

// manCommand writes manual pages for make install.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Write manual pages to a directory",
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("man needs a directory to write the pages to")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := c.Root()
			root.DisableAutoGenTag = true
			for _, sub := range root.Commands() {
				if sub.Name() == "completion" { // explains itself
					sub.Hidden = true
				}
			}
			return doc.GenManTree(root, &doc.GenManHeader{ // of the date $SOURCE_DATE_EPOCH
				Title: "WHITTLE", Section: "1", Manual: "whittle", Source: "whittle " + usage.Version(version),
			}, args[0])
		},
	}
}
