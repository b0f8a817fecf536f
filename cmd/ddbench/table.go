package main

import (
	"encoding/csv"
	"io"
	"strings"
)

// A table has a head and rows; the first column is text, the others are numbers.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(row ...string) { t.rows = append(t.rows, row) }

// String gives the table as Markdown.
func (t *table) String() string {
	var b strings.Builder
	line := func(row []string) { b.WriteString("| " + strings.Join(row, " | ") + " |\n") }
	line(t.head)
	b.WriteString("|---" + strings.Repeat("|---:", len(t.head)-1) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// writeCSV writes the table as comma-separated values.
func (t *table) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	return c.WriteAll(append([][]string{t.head}, t.rows...))
}
