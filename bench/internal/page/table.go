package page

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// A Table has a head and rows; the first column is text, the others are numbers.
type Table struct {
	Head []string
	Rows [][]string
}

// NewTable returns a table without rows.
func NewTable(head ...string) *Table { return &Table{Head: head} }

// Add adds a row.
func (t *Table) Add(row ...string) { t.Rows = append(t.Rows, row) }

// Show adds a row of what the cells print as.
func (t *Table) Show(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Add(row...)
}

// String returns the table as Markdown.
func (t *Table) String() string {
	var b strings.Builder
	line := func(row []string) { b.WriteString("| " + strings.Join(row, " | ") + " |\n") }
	line(t.Head)
	b.WriteString("|---" + strings.Repeat("|---:", len(t.Head)-1) + "|\n")
	for _, row := range t.Rows {
		line(row)
	}
	return b.String()
}

// WriteCSV writes the table as comma-separated values.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	return c.WriteAll(append([][]string{t.Head}, t.Rows...))
}
