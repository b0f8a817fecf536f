package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func evaluateCommand() *cobra.Command {
	var f evaluationFlags
	var page string
	c := &cobra.Command{
		Use:   "evaluate --results DIR [--page FILE] CASE...",
		Short: "Answer all questions, and put the tables into a page",
		Long: `Answer all questions, and put the tables into a page.

In the page each table stands between <!-- ddbench: NAME --> and <!-- end -->; what
is around them stays. Without --page the tables go to stdout.`,
		RunE: func(c *cobra.Command, folders []string) error {
			e, err := f.open(c, folders)
			if err != nil {
				return err
			}
			defer e.store.close()
			if page != "" {
				if err := checkPage(page); err != nil {
					return err
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
				if page == "" {
					fmt.Fprintf(c.OutOrStdout(), "## %s\n\n%s\n", q.title, table)
				} else if err := replaceTable(page, q.name, table); err != nil {
					return err
				}
			}
			if page != "" {
				fmt.Fprintf(c.ErrOrStderr(), "the tables are in %s\n", page)
			}
			return errors.Join(failed...)
		},
	}
	f.add(c)
	c.Flags().StringVar(&page, "page", "", "put the tables into this `file`")
	return c
}

// The marks around a table in a page.
const endMark = "<!-- end -->"

func mark(name string) string { return "<!-- ddbench: " + name + " -->" }

// checkPage tells of marks that are missing before hours of work.
func checkPage(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return usagef("%v", err)
	}
	for _, q := range questions {
		if _, err := replaced(string(content), q.name, ""); err != nil {
			return usagef("%s: %v", path, err)
		}
	}
	return nil
}

// replaceTable puts a table between its marks.
func replaceTable(path, name, table string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return environmentError("read the page", err)
	}
	page, err := replaced(string(content), name, table)
	if err != nil {
		return usagef("%s: %v", path, err)
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		return environmentError("write the page", err)
	}
	return nil
}

// replaced gives the page with another table between the marks.
func replaced(page, name, table string) (string, error) {
	before, rest, ok := strings.Cut(page, mark(name)+"\n")
	if !ok {
		return "", fmt.Errorf("there is no line %s, where a table goes", mark(name))
	}
	_, after, ok := strings.Cut(rest, endMark)
	if !ok {
		return "", fmt.Errorf("there is no %s behind %s", endMark, mark(name))
	}
	return before + mark(name) + "\n" + table + endMark + after, nil
}
