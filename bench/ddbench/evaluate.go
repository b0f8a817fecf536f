package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"whittle/bench/internal/page"
)

func evaluateCommand() *cobra.Command {
	var f evaluationFlags
	var path string
	c := &cobra.Command{
		Use:   "evaluate --results DIR [--page FILE] CASE...",
		Short: "Answer all questions, and put the tables into a page",
		Long: `Answer all questions, and put the tables into a page.

In the page, each table replaces the text between <!-- ddbench: NAME --> and <!-- end -->.
Without --page the tables are printed.`,
		RunE: func(c *cobra.Command, folders []string) error {
			e, err := f.open(c, folders)
			if err != nil {
				return err
			}
			defer e.store.close()
			if path != "" { // fail early
				if err := page.Check(path, names(questions)); err != nil {
					return usageError{err}
				}
			}
			var failed []error
			for _, q := range questions {
				fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", q.name, q.title)
				table, err := e.answer(c.Context(), q)
				if ctx := c.Context(); ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					failed = append(failed, err)
				}
				if path == "" {
					fmt.Fprintf(c.OutOrStdout(), "## %s\n\n%s\n", q.title, table)
				} else if err := page.Replace(path, q.name, table); err != nil {
					return environmentError("write the page", err)
				}
			}
			if path != "" {
				fmt.Fprintf(c.ErrOrStderr(), "the tables are in %s\n", path)
			}
			return errors.Join(failed...)
		},
	}
	f.add(c)
	c.Flags().StringVar(&path, "page", "", "put the tables into this `file`")
	return c
}
