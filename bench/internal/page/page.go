// Package page writes tables in Markdown, and puts them between marks of a page:
//
//	<!-- ddbench: NAME -->
//	| … |
//	<!-- end -->
package page

import (
	"fmt"
	"os"
	"strings"
)

const endMark = "<!-- end -->"

func mark(name string) string { return "<!-- ddbench: " + name + " -->" }

// Check returns an error if a page has not the marks of all these names.
func Check(path string, names []string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := replaced(string(content), name, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// Replace puts a table between the marks of its name.
func Replace(path, name, table string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page, err := replaced(string(content), name, table)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(page), 0o644)
}

// replaced returns the page with another table between the marks.
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
