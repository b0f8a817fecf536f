package perses

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Columns is a pass that deletes columns of tables. It is our own; there is no paper. A table has rows with the same
// number of cells, as the records of a CSV file, the rows of a matrix, or many INSERT statements for one SQL table. If
// other lists have as many members, such as the columns in CREATE TABLE, they lose a member together with the rows.
func Columns() pass.Pass { return pass.Pass{Name: "columns", Search: searchColumns} }

const (
	fewestRows  = 4  // of a table whose rows have names, as calls do, until the run finds a table
	mostAround  = 64 // tokens of a row before and after its cells
	mostMembers = 4  // around a row, where the table may have its name
	mostRefused = 6  // questions without success, after which the run has no tables, or no components
	leastPart   = 8  // a table has at least 1/8 of the file: other passes often delete smaller ones as a whole
)

const columnKind = "columns"

// A table has the lists of cells of its rows, and perhaps other lists that seem to belong to it.
type table struct {
	rows, all []int32
	cells     int // of each list
}

type columnsTask = rounds.Task[*candidate, []table]

func searchColumns(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
	fewest := fewestRows
	if plan.Spent != nil {
		switch asked, accepted, _ := plan.Spent(columnKind); {
		case accepted > 0:
			fewest = 1
		case asked >= mostRefused:
			return &pass.Step{End: plan.Policy}
		}
	}
	d := &driver{tree: t}
	base := parse.Whole(t)
	next := func(base *candidate, tables []table) (task *columnsTask, rest []table) {
		for rest = tables; len(rest) > 0 && task == nil; rest = rest[1:] {
			task = d.columns(base, rest[0].all, rest[0])
		}
		return task, rest
	}
	r := rounds.Driver[*candidate, []table]{Plan: plan.Plan, Next: next, Allows: func(base, c *candidate) bool {
		return c.Weight() < base.Weight() && gate.Allows(base, c)
	}}
	return r.Search(base, d.tables(base, fewest))
}

// columns returns the search for the columns of some lists of a table, or nil if these have changed. If no column can
// go, the search for those of the rows alone follows.
func (d *driver) columns(base *candidate, lists []int32, t table) *columnsTask {
	lists = slices.DeleteFunc(slices.Clone(lists), func(n int32) bool { return d.cells(base, n) != t.cells })
	if len(lists) < 2 {
		return nil
	}
	weights := make([]int, t.cells)
	for _, n := range lists {
		for i, child := range d.inCells(base, n) {
			weights[i] += base.WeightOf(child)
		}
	}
	known := func(i int) (own, around uint64) {
		s := d.fingerprints(base)
		for _, n := range lists {
			for j, child := range d.inCells(base, n) {
				if i == j {
					own = own*31 + (s.Siblings(child) ^ s.Counts(child))
					around = around*31 + s.Contexts(child)
				}
			}
		}
		return own, own ^ around
	}
	return &columnsTask{
		List: algo.List{
			Mode: algo.Some, Weights: weights, Whole: base.Weight(), Kind: columnKind, Known: d.known(known),
		},
		Edit: func(current *candidate, kept []int) *candidate {
			var gone []int32
			for _, n := range lists {
				first := true // no earlier cell is kept
				for i, child := range d.inCells(base, n) {
					_, keep := slices.BinarySearch(kept, i)
					if !keep || first && d.separates(base, child) {
						gone = append(gone, child)
					}
					first = first && !keep
				}
			}
			return current.Clear(gone...)
		},
		Done: func(base *candidate, kept []int, rest []table) (*columnsTask, []table) {
			if kept != nil || len(lists) <= len(t.rows) {
				return nil, rest
			}
			return d.columns(base, t.rows, t), rest
		},
	}
}

// inCells yields the children of a list without its brackets, with the index of the cell. A separator belongs to the
// cell after it.
func (d *driver) inCells(base *candidate, list int32) iter.Seq2[int, int32] {
	return func(yield func(cell int, child int32) bool) {
		cell := 0
		for _, child := range base.Children(list) {
			separates := d.separates(base, child)
			if separates {
				cell++
			}
			if (separates || d.tree.Nodes[child].Slot.Droppable()) && !yield(cell, child) {
				return
			}
		}
	}
}

// cells returns the number of cells of a list, or 0 without separators.
func (d *driver) cells(base *candidate, list int32) (cells int) {
	for _, child := range base.Children(list) {
		if d.separates(base, child) {
			cells = max(cells, 1) + 1
		}
	}
	return cells
}

// separates reports whether a node separates cells. In lists with a syntax error, commas are no [parse.Separator].
func (d *driver) separates(base *candidate, n int32) bool {
	if !d.tree.IsLeaf(n) {
		return false
	}
	text := string(base.TextOf(n))
	return slices.Contains([]string{",", "|", "\t"}, text) || text == ";" && d.tree.Nodes[n].Slot == parse.Separator
}

// A row is a list of cells in a member of another list, such as a statement.
type row struct {
	list int32
	name string // the first name of the member, or of the member around it
	own  bool   // the name is in the member
	word bool   // the member with the name begins with a keyword, as a statement of SQL
	group
}

// A group is what the rows of a table have in common.
type group struct {
	parent int32 // of the members
	cells  int
	around string // the text of the member without the list
}

// tables returns the tables of the file, the heaviest first. If the rows have names, it needs the fewest of them.
func (d *driver) tables(base *candidate, fewest int) (tables []table) {
	var groups []group
	rows, sets := map[group][]row{}, map[setKey]*rowSet{}
	add := func(key setKey, r row) {
		if sets[key] == nil {
			sets[key] = &rowSet{}
		}
		sets[key].lists = append(sets[key].lists, r.list)
		sets[key].weight += base.WeightOf(r.list)
	}
	for n := range int32(len(d.tree.Nodes)) {
		r, ok := d.row(base, n)
		if !ok {
			continue
		}
		add(setKey{cells: r.cells}, r)
		add(setKey{r.cells, true, r.name}, r)
		if rows[r.group] == nil {
			groups = append(groups, r.group)
		}
		rows[r.group] = append(rows[r.group], r)
	}
	weights := map[int32]int{} // of the tables with a first row
	for _, g := range groups {
		some := rows[g]
		first := some[0]
		set := sets[setKey{g.cells, true, first.name}]
		related := set.without(base, first.list)
		if len(related.lists) <= len(some) && !first.own {
			set = sets[setKey{cells: g.cells}]
			related = set.without(base, first.list)
		}
		named := first.word && len(related.lists) > len(some) && related.lists[0] == first.list
		if !named && len(some) < fewest && (len(some) < 2 || first.own) {
			continue
		}
		t := table{listsOf(some), related.lists, g.cells}
		weights[first.list] = related.weight
		if set.isSearched {
			t.all, weights[first.list] = t.rows, d.weigh(base, t.rows)
		}
		set.isSearched = true
		tables = append(tables, t)
	}
	tables = slices.DeleteFunc(tables, func(t table) bool { return leastPart*weights[t.rows[0]] < base.Weight() })
	slices.SortStableFunc(tables, func(a, b table) int { return cmp.Compare(weights[b.rows[0]], weights[a.rows[0]]) })
	return tables
}

// A setKey stands for the rows with a number of cells, and perhaps with a name.
type setKey struct {
	cells int
	named bool
	name  string
}

// A rowSet has the lists of rows that a table is related to: those with its name, or all if only the table has it, and
// no row of it. The first of several tables searches it.
type rowSet struct {
	lists      []int32 // in the order of the file
	weight     int
	isSearched bool // for a table
}

// without returns the set without lists around a list.
func (s *rowSet) without(base *candidate, list int32) rowSet {
	some, around := *s, []int32(nil)
	for n := base.Tree().Nodes[list].Parent; n >= 0; n = base.Tree().Nodes[n].Parent {
		if _, ok := slices.BinarySearch(s.lists, n); ok {
			around = append(around, n)
			some.weight -= base.WeightOf(n)
		}
	}
	if around != nil {
		some.lists = slices.DeleteFunc(slices.Clone(s.lists), func(n int32) bool { return slices.Contains(around, n) })
	}
	return some
}

func listsOf(rows []row) []int32 {
	lists := make([]int32, len(rows))
	for i, r := range rows {
		lists[i] = r.list
	}
	return lists
}

func (d *driver) row(base *candidate, n int32) (r row, ok bool) {
	if d.tree.IsLeaf(n) {
		return r, false
	}
	r.list, r.cells = n, d.cells(base, n)
	member := max(d.member(n), 0)
	if r.cells < 2 {
		return r, false
	}
	r.parent = d.tree.Nodes[member].Parent
	r.around = d.around(member, n)
	r.name = d.name(base, member, n)
	r.own = r.name != ""
	for range mostMembers {
		if r.name == "" && member > 0 {
			member = max(d.member(d.tree.Nodes[member].Parent), 0)
			r.name = d.name(base, member, n)
		}
	}
	for !d.tree.IsLeaf(member) {
		member++
	}
	r.word = r.name != "" && strings.HasPrefix(d.tree.Kind(member), "keyword")
	return r, true
}

// member returns the innermost member of a list that is n or around it, or -1.
func (d *driver) member(n int32) int32 {
	for n >= 0 && d.tree.Nodes[n].Slot != parse.Star && d.tree.Nodes[n].Slot != parse.Plus {
		n = d.tree.Nodes[n].Parent
	}
	return n
}

// around returns the text of a node without a part of it. If it is long, the result differs from all others.
func (d *driver) around(n, part int32) string {
	node, inner := d.tree.Nodes[n], d.tree.Nodes[part]
	if inner.First-node.First+node.Last-inner.Last > mostAround {
		return fmt.Sprint(part)
	}
	var text []byte
	for i := node.First; i < node.Last; i++ {
		if i == inner.First {
			i, text = inner.Last-1, append(text, 0)
			continue
		}
		text = append(append(text, d.tree.Source[d.tree.Tokens[i].Start:d.tree.Tokens[i].End]...), ' ')
	}
	return string(text)
}

// name returns the first name in a node outside of a part, or "".
func (d *driver) name(base *candidate, n, part int32) string {
	for m := n; m < d.tree.Nodes[n].Next && d.tree.Nodes[m].First-d.tree.Nodes[n].First < mostAround; m++ {
		switch {
		case m == part:
			m = d.tree.Nodes[m].Next - 1
		case d.tree.IsLeaf(m) && d.tree.Nodes[m].Named && !strings.HasPrefix(d.tree.Kind(m), "keyword"): // of SQL
			return string(base.TextOf(m))
		}
	}
	return ""
}
