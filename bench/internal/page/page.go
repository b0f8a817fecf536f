// Package page writes tables in Markdown, and replaces them in a page between markers:
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

// Check returns an error unless a page has the markers of all names.
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

// Replace replaces the table between the markers of a name.
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

func replaced(page, name, table string) (string, error) {
	before, rest, ok := strings.Cut(page, mark(name)+"\n")
	if !ok {
		return "", fmt.Errorf("the line %s, which begins a table, is missing", mark(name))
	}
	_, after, ok := strings.Cut(rest, endMark)
	if !ok {
		return "", fmt.Errorf("%s is missing after %s", endMark, mark(name))
	}
	return before + mark(name) + "\n" + table + endMark + after, nil
}
