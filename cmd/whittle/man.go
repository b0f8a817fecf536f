package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"whittle/internal/usage"
)

// manCommand writes manual pages for make install, and the reference of flags for make docs.
func manCommand() *cobra.Command {
	markdown := false
	c := &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Write manual pages to a directory",
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			if markdown {
				return writeReference(c.OutOrStdout())
			}
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
			date := time.Now()
			return doc.GenManTree(root, &doc.GenManHeader{
				Title: "WHITTLE", Section: "1", Manual: "whittle", Date: &date,
				Source: "whittle " + usage.Version(version),
			}, args[0])
		},
	}
	c.Flags().BoolVar(&markdown, "markdown", false, "print a reference of all flags as Markdown instead")
	return c
}

// writeReference writes the table of flags as Markdown.
func writeReference(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Flags\n\n`whittle man --markdown` writes this page. " +
		"`whittle COMMAND --help` lists the flags of a command.\n")
	for _, g := range newFlags(&cobra.Command{}, 0).table() {
		fmt.Fprintf(&b, "\n## %s\n\n| flag | meaning | commands |\n|---|---|---|\n", g.heading)
		for _, e := range g.flags {
			c := &cobra.Command{}
			e.add(c, g.heading, false)
			c.Flags().VisitAll(func(flag *pflag.Flag) { writeFlag(&b, flag, e.on.names()) })
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFlag writes a flag that some commands have as a row of a table.
func writeFlag(b *strings.Builder, flag *pflag.Flag, commands []string) {
	if len(commands) == 0 {
		return
	}
	argument, help := pflag.UnquoteUsage(flag)
	if flag.NoOptDefVal != "" && argument != "" {
		argument = "[=" + argument + "]"
	}
	names := "--" + flag.Name
	if flag.Shorthand != "" {
		names = "-" + flag.Shorthand + ", " + names
	}
	if d := flag.DefValue; d != "" && d != "0" && d != "false" && d != "true" && d != "[]" {
		help += " (default " + d + ")"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s |\n", strings.TrimSpace(names+" "+argument),
		strings.ReplaceAll(help, "|", "\\|"), strings.Join(commands, ", "))
}
