package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"whittle/internal/usage"
)

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
			date := time.Now()
			return doc.GenManTree(root, &doc.GenManHeader{
				Title: "WHITTLE", Section: "1", Manual: "whittle", Date: &date,
				Source: "whittle " + usage.Version(version),
			}, args[0])
		},
	}
}
