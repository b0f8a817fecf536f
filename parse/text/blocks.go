package text

import (
	"slices"

	"whittle/parse"
)

// A row is a line of a block, with the lines below it and the line that ends it.
type row struct {
	elements []element
	last     int32 // token after all of it
	indent   int32
	blank    bool // after empty lines
	role     role
	name     string // that may end it, or that it ends
	defines  string // in lower case
	comment  bool
	closer   byte // a period that ends a unit of rows, or a semicolon that separates them, after last; or 0

	children int // index in done of its first child, while it is open
	before   int // the previous row with the same name, or -1
}

// nest nests the rows between two brackets, or of the file.
type nest struct {
	*outline
	inside bool           // inside brackets
	open   []row          // nested
	done   []row          // siblings of those in open, in the same order
	named  map[string]int // the last one in done by name

	units    []row // around the next row, with ends by their names
	comments []row // before the next row
}

// blocks splits elements into lines and nests them by indentation and by lines that end others.
func (o *outline) blocks(elements []element, inside bool) {
	n := &nest{outline: o, inside: inside, named: map[string]int{}}
	for start, i := 0, 1; i <= len(elements); i++ {
		if i < len(elements) && !o.breaks(elements, i) {
			continue
		}
		n.align(o.row(elements, start, i, inside))
		start = i
	}
	for _, r := range n.comments {
		n.add(r)
	}
	for len(n.open) > 0 {
		n.close()
	}
	n.rows(n.done)
}

// align adds a row. Comments are indented as the next row, and rows at least as the unit around them: until "end f",
// none is outside of f.
func (n *nest) align(r row) {
	if r.comment {
		n.comments = append(n.comments, r)
		return
	}
	if r.role == ends {
		name := n.lastWord(r.elements)
		if k := slices.IndexFunc(n.units, func(u row) bool { return u.defines == name && u.indent == r.indent }); k >= 0 {
			n.units = n.units[:k]
		}
	}
	if len(n.units) > 0 {
		r.indent = max(r.indent, n.units[len(n.units)-1].indent)
	}
	if n.ended[r.defines] {
		n.units = append(n.units, r)
	}
	for _, c := range n.comments {
		c.indent = r.indent
		n.add(c)
	}
	n.comments = n.comments[:0]
	n.add(r)
}

// lastWord returns the last word of a line before a semicolon, in lower case, or "".
func (o *outline) lastWord(line []element) string {
	line = o.code(line)
	if n := len(line) - 1; n > 0 && o.is(line[n], ';') {
		line = line[:n]
	}
	return o.lower(line, len(line)-1)
}

// breaks reports whether a row begins with element i. A curly bracket alone continues the line above.
func (o *outline) breaks(elements []element, i int) bool {
	e, before := elements[i], elements[i-1]
	if e.line == before.line {
		return false
	}
	return e.class != opening || o.source[o.tokens[e.first].Start] != '{' || e.line == o.lineOf(e.last-1) ||
		before.class != word && before.class != opening || o.lines[e.line].blank ||
		o.lines[e.line].indent != o.lines[before.line].indent
}

func (o *outline) row(elements []element, start, end int, inside bool) row {
	at := o.lines[elements[start].line]
	if at.first != elements[start].first && end < len(elements) {
		at = line{indent: o.lines[elements[end].line].indent}
	}
	r := row{elements: elements[start:end], last: elements[end-1].last, indent: at.indent, blank: at.blank}
	if r.comment = o.isComment(r.elements[0]); !r.comment {
		o.stop(&r, inside)
		r.role, r.name = o.roleOf(r.elements)
		r.defines = o.define(o.code(r.elements))
	}
	if !inside {
		r.indent -= o.rank(r.elements)
	}
	return r
}

func (n *nest) add(r row) {
	for len(n.open) > 0 && n.open[len(n.open)-1].indent >= r.indent {
		n.close()
	}
	if r.role == ends {
		if k := n.begin(r); k >= 0 {
			n.end(k, r)
			return
		}
	}
	r.children = len(n.done)
	n.open = append(n.open, r)
}

func (n *nest) close() {
	r := n.open[len(n.open)-1]
	n.open = n.open[:len(n.open)-1]
	if below := n.done[r.children:]; len(below) > 0 {
		below = n.split(&r, below)
		last := &below[len(below)-1]
		r.last, r.closer, last.closer = last.last, last.closer, 0
		n.header(r, true)
		n.body(below)
	}
	n.cut(r.children)
	r.before = -1
	if r.name != "" {
		if i, ok := n.named[r.name]; ok {
			r.before = i
		}
		n.named[r.name] = len(n.done)
	}
	n.done = append(n.done, r)
}

// split moves the rest of a line after an arrow below it if it ends with a comma, as the first goal of a clause.
func (n *nest) split(r *row, below []row) []row {
	i := slices.IndexFunc(r.elements, func(e element) bool { return slices.Contains(arrows, n.text(e.first)) })
	end := len(r.elements) - 1
	if !n.dotted || i <= 0 || i+1 >= end || !n.is(r.elements[end], ',') {
		return below
	}
	rest := row{elements: r.elements[i+1:], last: r.elements[end].last}
	r.elements = r.elements[:i+1]
	return slices.Insert(slices.Clone(below), 0, rest)
}

// arrows begin the bodies of clauses.
var arrows = []string{":-", "-->", "->"}

func (n *nest) cut(i int) {
	for k := len(n.done) - 1; k >= i; k-- {
		switch r := &n.done[k]; {
		case r.name == "":
		case r.before < 0:
			delete(n.named, r.name)
		default:
			n.named[r.name] = r.before
		}
	}
	n.done = n.done[:i]
}

// begin returns the sibling that r ends, or -1: the last one with its name, that defines it, or with lines below it.
func (n *nest) begin(r row) int {
	from := 0
	if len(n.open) > 0 {
		from = n.open[len(n.open)-1].children
	}
	if k, ok := n.named[r.name]; ok && k >= from && n.done[k].role == begins && n.done[k].indent == r.indent {
		return k
	}
	for k := len(n.done) - 1; k >= max(from, len(n.done)-mostParts) && (r.name != "" || n.fixed); k-- {
		unit := n.done[k].defines
		if (unit == r.name || n.fixed && r.name == "") && unit != "" && n.done[k].indent == r.indent {
			return k
		}
	}
	k := len(n.done) - 1
	if k < from || n.done[k].indent != r.indent || !n.done[k].hasBody() {
		return -1
	}
	for k > from && n.done[k].role == resumes && n.done[k-1].indent == r.indent {
		k--
	}
	return k
}

// mostParts is the most rows between "procedure x" and "end x" of a block, without those below others.
const mostParts = 1000

// end makes a block of the siblings from k on, and of r.
func (n *nest) end(k int, r row) {
	head := n.done[k]
	if !head.hasBody() {
		n.header(head, false)
	}
	if below := n.done[k+1:]; len(below) > 0 {
		n.body(below)
	}
	n.header(r, false)
	n.cut(k + 1)
	n.done[k].last, n.done[k].closer = r.last, r.closer
}

func (r *row) hasBody() bool { return r.last > r.elements[len(r.elements)-1].last }

func (n *nest) header(r row, parted bool) {
	line, end := r.elements, []element(nil)
	slot := parse.Required
	if parted {
		if line, end = n.trailing(line); len(end) > 0 {
			slot = parse.Optional
			n.outline.add(end, leaf, parse.Separator)
		}
	}
	n.outline.add(line, header, slot)
	n.statements(line, n.inside)
}

func (n *nest) body(below []row) {
	n.spans = append(n.spans, span{below[0].elements[0].first, below[len(below)-1].last, body, parse.Optional})
	n.rows(below)
}

func (o *outline) trailing(elements []element) (line, end []element) {
	if n := len(elements) - 1; n > 0 && o.is(elements[n], ',') && len(o.code(elements)) > n {
		return elements[:n], elements[n:]
	}
	return elements, nil
}

func (n *nest) rows(rows []row) {
	n.ending(rows)
	start := 0
	for i := 1; i <= len(rows); i++ {
		if i < len(rows) && !rows[i].blank {
			continue
		}
		if i-start > 1 && i-start < len(rows) {
			end := rows[i-1].last
			if rows[i-1].closer != 0 {
				end++
			}
			n.spans = append(n.spans, span{rows[start].elements[0].first, end, paragraph, parse.Star})
		}
		n.sentences(rows[start:i])
		start = i
	}
}

// ending splits the terminator off the last of several rows with commas, as in Prolog or SQL.
func (o *outline) ending(rows []row) {
	last := &rows[len(rows)-1]
	n := len(last.elements) - 1
	if len(rows) < 2 || n == 0 || last.hasBody() || !o.is(last.elements[n], ';') && !o.is(last.elements[n], '.') {
		return
	}
	before := rows[len(rows)-2].elements
	if o.is(before[len(before)-1], ',') {
		last.elements = last.elements[:n]
		last.last = last.elements[n-1].last
	}
}

// stop takes the period or semicolon off a row of a file whose statements end with periods. They stay behind blocks.
func (o *outline) stop(r *row, inside bool) {
	n := len(r.elements) - 1
	if !o.dotted || inside || n == 0 || !r.elements[n].glued {
		return
	}
	for _, c := range []byte(".;") {
		if o.is(r.elements[n], c) {
			r.closer, r.elements, r.last = c, r.elements[:n], r.elements[n-1].last
			return
		}
	}
}

func (o *outline) isDotted() bool {
	end := int32(len(o.tokens))
	for _, l := range slices.Backward(o.lines) {
		if !o.isComment(element{first: l.first}) {
			return o.text(end-1) == "." && o.tokens[end-1].Start == o.tokens[max(end-2, 0)].End
		}
		end = l.first
	}
	return false
}

// sentences makes a unit of rows with semicolons up to one with a period, such as the clauses of a function in Erlang.
func (n *nest) sentences(rows []row) {
	start := 0
	for i, r := range rows {
		switch {
		case r.closer == ';':
			n.spans = append(n.spans, span{r.last, r.last + 1, leaf, parse.Separator})
		case r.closer == '.' && start < i:
			n.spans = append(n.spans, span{rows[start].elements[0].first, r.last + 1, paragraph, parse.Star})
			r.closer = 0
			fallthrough
		default:
			start = i + 1
		}
		n.line(r)
	}
}

func (n *nest) line(r row) {
	if end := r.last; r.hasBody() || r.closer == '.' {
		if r.closer == '.' {
			end++
		}
		n.spans = append(n.spans, span{r.elements[0].first, end, block, parse.Star})
		if !r.hasBody() {
			n.statements(r.elements, n.inside)
		}
		return
	}
	if r.comment {
		n.outline.add(r.elements, comment, parse.Star)
		n.chunks(r.elements)
		return
	}
	line, end := n.trailing(r.elements)
	n.outline.add(line, block, parse.Star)
	n.statements(line, n.inside)
	if len(end) > 0 {
		n.outline.add(end, leaf, parse.Separator)
	}
}
