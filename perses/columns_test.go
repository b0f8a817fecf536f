package perses

import (
	"encoding/csv"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/pass"
)

// TestColumnsOfCSV requires two columns, and as many cells in each row. Some cells are empty.
func TestColumnsOfCSV(t *testing.T) {
	const rows = 50
	for _, width := range []int{4, 16, 64, 256} {
		var b strings.Builder
		for row := range rows {
			for i := range width {
				if i > 0 {
					b.WriteByte(',')
				}
				if (row+i)%5 > 0 || i == 0 {
					fmt.Fprintf(&b, "r%dc%d", row, i)
				}
			}
			b.WriteByte('\n')
		}
		needed := fmt.Sprintf("c%d", width-1)
		interesting := func(s string) bool {
			table, err := csv.NewReader(strings.NewReader(s)).ReadAll() // all rows must have as many cells
			return err == nil && len(table) == rows && table[0][0] == "r0c0" &&
				slices.ContainsFunc(table[1], func(cell string) bool { return strings.HasSuffix(cell, needed) })
		}
		tree := parsed(t, "csv", b.String())
		best, asked := run(Columns().Search(tree, pass.Gate{}, by(algo.DDMin)), b.String(), interesting)
		if first, _, _ := strings.Cut(best, "\n"); strings.Count(first, ",") != 1 {
			t.Errorf("%d columns: the first row is %q", width, first)
		}
		if most := 13 * bits.Len(uint(width)); asked > most {
			t.Errorf("%d columns: %d questions, want at most %d", width, asked, most)
		}
	}
}

func TestColumns(t *testing.T) {
	for _, c := range []struct{ name, language, source, needs, want string }{
		{
			"CREATE and INSERT", "sql",
			"CREATE TABLE t(a INT, b TEXT, c INT);\n" + strings.Repeat("INSERT INTO t VALUES(1, 'x', -1);\n", 4), "b TEXT",
			"CREATE TABLE t(b TEXT);\n" + strings.Repeat("INSERT INTO t VALUES('x');\n", 4),
		},
		{
			"one row", "sql",
			"CREATE TABLE t(a INT, b TEXT, c INT);\nSELECT 1;\nINSERT INTO t VALUES(1, 'x', -1);\n", "b TEXT",
			"CREATE TABLE t(b TEXT);\nSELECT 1;\nINSERT INTO t VALUES('x');\n",
		},
		{
			"another table", "sql",
			"CREATE TABLE u(a INT, b INT);\n" + strings.Repeat("INSERT INTO t VALUES(1, 2);\n", 4), "b INT",
			"CREATE TABLE u(a INT, b INT);\n" + strings.Repeat("INSERT INTO t VALUES(1);\n", 4),
		},
		{
			"names and values", "sql", "INSERT INTO t(a, b) VALUES(1, 2), (3, 4);\n", "4",
			"INSERT INTO t(b) VALUES(2), (4);\n",
		},
		{"arrays", "json", `{"c": ["a", "b"], "d": [[1, 2], [3, 4]]}`, "4", `{"c": ["b"], "d": [[2], [4]]}`},
		{"few calls", "c", "int f(void) { g(1, 2); g(3, 4); }\n", "", "int f(void) { g(1, 2); g(3, 4); }\n"},
	} {
		tree := parsed(t, c.language, c.source)
		interesting := func(s string) bool { return strings.Contains(s, c.needs) }
		got, _ := run(Columns().Search(tree, pass.Gate{}, by(algo.DDMin)), c.source, interesting)
		if got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}
