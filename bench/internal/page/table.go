package page

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// A Table has a head and rows. The first column is text, the others are numbers.
type Table struct {
	Head []string
	Rows [][]string
}

func NewTable(head ...string) *Table { return &Table{Head: head} }

func (t *Table) Add(row ...string) { t.Rows = append(t.Rows, row) }

// Show adds a row of values, printed in their default format.
func (t *Table) Show(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Add(row...)
}

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

func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	return c.WriteAll(append([][]string{t.Head}, t.Rows...))
}
