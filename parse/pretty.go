package parse

import (
	"bytes"
	"slices"
	"strings"
)

// A Pretty is a layout with one statement per line: changes of white space that can be made
// independently. All of them together give:
//
//   - A line begins with each child of the root, with each child of braces that begin a line or
//     contain two statements, with each child of brackets that are too wide for a line, and with
//     the closing bracket of these.
//   - Other list members of more than one token, and nodes next to a line break token, begin a line
//     if they did.
//   - A line is indented by one step for each enclosing list with lines; without brackets, only
//     if it was.
//   - All else is on one line unless that is too wide. A space stays where white space was, but
//     none inside empty brackets, between a bracket and its content, or before a comma. Both sides
//     of an operator, and both ends of a block, have a space if one has, and so does the front of a
//     body: the code that reductions join often lacks one.
//
// If indentation is significant, the layout is that of [Plain], without spaces inside of brackets or before a comma,
// and without line breaks in brackets that fit into a line.
//
// The layout depends on the tree only. Callers must check that the file still reads the same.
type Pretty struct {
	tree    *Tree
	lines   map[int]int // depth of the line that begins with a token
	apart   map[int32]bool
	inLine  map[int]bool // tokens in brackets that are not broken into lines
	spaced  map[int]bool // tokens with a space before them that was not there
	step    []byte
	newline []byte
	changes []change
	kept    []change // if the change is not made
}

// width is the line width above which brackets are broken into lines.
const width = 80

// NewPretty returns the layout of t.
func NewPretty(t *Tree) *Pretty {
	p := &Pretty{
		tree: t, lines: map[int]int{}, apart: map[int32]bool{}, inLine: map[int]bool{},
		spaced: map[int]bool{}, step: []byte("  "), newline: []byte("\n"),
	}
	if bytes.Contains(t.Source, []byte("\n\t")) && !bytes.Contains(t.Source, []byte("\n ")) {
		p.step = []byte("\t")
	}
	if n := bytes.Count(t.Source, []byte("\r\n")); n > 0 && n == bytes.Count(t.Source, []byte("\n")) {
		p.newline = []byte("\r\n")
	}
	p.breakBrackets(0)
	p.node(0, 0, 0)
	if t.Parts == nil {
		p.layOut(0, len(t.Tokens), t.Indented)
	}
	for i := range t.Parts {
		head, end := t.partTokens(i)
		p.layOut(head+1, end, t.Parts[i].Indented)
	}
	return p
}

// Significant indentation means that lines stay.
func (p *Pretty) layOut(from, to int, indented bool) {
	if !indented {
		p.file(from, to)
		return
	}
	lines := plain{tree: p.tree, tight: true, inLine: p.inLine}
	lines.file(from, to)
	p.changes = append(p.changes, lines.changes...)
	p.kept = append(p.kept, make([]change, len(lines.changes))...)
}

// Best returns the tree with as many changes as same accepts together. It returns nil if more than two are refused,
// since lines are then significant.
func (p *Pretty) Best(same func(*Candidate) bool) *Candidate {
	taken := p.tree.Sift(len(p.changes), func(some []int) bool { return same(p.with(some)) })
	if len(p.changes)-len(taken) > 2 {
		return nil
	}
	return p.with(taken)
}

// with indents a line by its depth if a refused change would have joined it to the line before.
func (p *Pretty) with(some []int) *Candidate {
	c := Whole(p.tree).edit()
	for i, ch := range p.changes {
		switch {
		case len(some) > 0 && some[0] == i:
			c.changes, some = append(c.changes, ch), some[1:]
		case p.kept[i].gap != nil:
			c.changes = append(c.changes, p.kept[i])
		}
	}
	return c.counted()
}

func (p *Pretty) breakBrackets(n int32) (any bool) {
	children := p.tree.InGrammar(n)
	inside := make([]bool, len(children))
	for i, c := range children {
		inside[i] = p.breakBrackets(c)
		any = any || inside[i]
	}
	if open, end := p.brackets(children); open >= 0 && end > open+1 {
		row := children[open : end+1]
		p.apart[n] = p.isApart(row, slices.Contains(inside[open:end], true))
		from, to := p.tree.rangeOf(row)
		inLine := !any && !p.apart[n] && to-from <= width &&
			!slices.ContainsFunc(p.tree.Nodes[n:p.tree.Nodes[n].Next], func(m Node) bool { return m.Comment })
		for i := from + 1; i < to && inLine; i++ {
			p.inLine[i] = true
		}
	}
	return any || p.apart[n]
}

// isApart reports whether brackets are broken into lines. lines is set if brackets inside are.
func (p *Pretty) isApart(row []int32, lines bool) bool {
	inner := row[1 : len(row)-1]
	members, statements, comma, wide := 0, 0, false, 0
	for _, c := range inner {
		comma = comma || p.char(c) == ','
		if p.char(c) != ';' {
			members++
		}
		last := p.tree.text(int(p.tree.Nodes[c].Last) - 1)
		if blank(last) || len(last) == 1 && last[0] == ';' {
			statements++
		}
	}
	from, to := p.tree.rangeOf(row)
	for i := from; i < to && wide <= width; i++ {
		wide += len(p.tree.text(i)) + min(1, len(p.tree.gap(i)))
	}
	braces := p.char(row[0]) == '{'
	return wide > width && (comma || braces) ||
		braces && !comma && (lines || statements > 0 && members > 1 || p.broken(inner[0]) || blank(p.tree.leaf(inner[0])))
}

// node finds the line beginnings below n, which is in a line of the given depth and original indentation.
func (p *Pretty) node(n int32, depth, indented int) {
	children := p.tree.InGrammar(n)
	open, end := p.brackets(children)
	root := p.tree.IsRoot(n)
	breaks := slices.ContainsFunc(children, func(c int32) bool {
		return p.tree.IsLeaf(c) && len(newlines(p.tree.leaf(c))) > 0 && blank(p.tree.leaf(c))
	})
	for i, c := range children {
		below := depth
		switch {
		case p.tree.IsPart(c) || p.tree.IsPart(n):
			below = 0
		case root && (p.tree.Nodes[c].Parent == n || p.tree.Nodes[c].Parent == c-1): // not the body of f() { }
			if !p.tree.Is(n, "ERROR") || p.broken(c) || p.ends(c, ";}") {
				p.begin(c, depth)
			}
		case p.apart[n] && open < i && i < end:
			below++
			isToken := i > open+1 && (p.tree.IsLeaf(c) || p.tree.IsLeaf(children[i-1])) // as in a macro of Rust
			if !isToken || p.broken(c) || p.ends(c, ";},") {
				p.begin(c, below)
			}
		case p.apart[n] && i == end, breaks && p.broken(c):
			p.begin(c, depth)
		case p.keepsLine(c):
			if p.indentation(c) > indented {
				below++
			}
			p.begin(c, below)
		case i > 0 && p.tree.IsLeaf(c) && p.endsInLine(children[i-1]):
			p.begin(c, depth) // as `done` after the lines of a loop
		}
		inner := indented
		if _, line := p.lines[int(p.tree.Nodes[c].First)]; line && p.broken(c) {
			inner = p.indentation(c)
		}
		p.node(c, below, inner)
		p.space(n, children, i, open, end)
	}
}

// ends reports whether the token before n is one of these.
func (p *Pretty) ends(n int32, tokens string) bool {
	last := p.tree.text(max(int(p.tree.Nodes[n].First), 1) - 1)
	return len(last) == 1 && strings.IndexByte(tokens, last[0]) >= 0
}

// space finds the spaces that are missing around child i of n, an operator or a body, or inside a block that it opens.
func (p *Pretty) space(n int32, children []int32, i, open, end int) {
	first := int(p.tree.Nodes[children[i]].First)
	if first == int(p.tree.Nodes[children[i]].Last) {
		return
	}
	text := p.tree.text(first)
	isInner := 0 < i && i+1 < len(children) && (len(children) == 3 || text[0] == '=') && i > open+1
	switch {
	case i == open && end > i+1 && text[0] == '{' && !p.apart[n]:
		p.even(int(p.tree.Nodes[children[i+1]].First), int(p.tree.Nodes[children[end]].First))
	case isInner && p.tree.IsLeaf(children[i]) && len(bytes.Trim(text, "=+-*/%<>&|^!")) == 0:
		p.even(first, int(p.tree.Nodes[children[i+1]].First))
	case i > 0 && text[0] == '{' && p.tree.Field(children[i]) == "body" && bytes.Contains(p.tree.Source, []byte(" {")):
		p.spaced[first] = true
	}
}

// even puts a space before both tokens if there is one before either.
func (p *Pretty) even(a, b int) {
	spaced := string(p.tree.gap(a)) == " " || string(p.tree.gap(b)) == " "
	p.spaced[a], p.spaced[b] = spaced, spaced
}

func (p *Pretty) begin(n int32, depth int) {
	first := int(p.tree.Nodes[n].First)
	text := p.tree.text(first)
	if _, known := p.lines[first]; known || blank(text) || len(text) == 1 && (text[0] == ';' || text[0] == ',') ||
		p.tree.Nodes[n].Comment && !p.broken(n) {
		return
	}
	p.lines[first] = depth
}

func (p *Pretty) keepsLine(n int32) bool {
	return p.broken(n) && (p.tree.Nodes[n].Comment || !p.tree.IsLeaf(n) && p.tree.InPlainList(n))
}

func (p *Pretty) broken(n int32) bool {
	return bytes.IndexByte(p.tree.gap(int(p.tree.Nodes[n].First)), '\n') >= 0
}

func (p *Pretty) indentation(n int32) int {
	gap := p.tree.gap(int(p.tree.Nodes[n].First))
	return len(gap) - bytes.LastIndexByte(gap, '\n') - 1
}

// endsInLine reports whether n has several lines, the last one with more than a bracket.
func (p *Pretty) endsInLine(n int32) bool {
	for i := p.tree.Nodes[n].Last - 1; i > p.tree.Nodes[n].First; i-- {
		if _, found := p.lines[int(i)]; found {
			return i < p.tree.Nodes[n].Last-1
		}
	}
	return false
}

func (p *Pretty) brackets(children []int32) (open, end int) {
	for i, c := range children {
		k := bytes.IndexByte([]byte("{[("), p.char(c))
		if k < 0 || p.char(c) == 0 {
			continue
		}
		for j := len(children) - 1; j > i; j-- {
			if p.char(children[j]) == "}])"[k] {
				return i, j
			}
		}
	}
	return -1, -1
}

func (p *Pretty) char(n int32) byte {
	if p.tree.IsLeaf(n) {
		if text := p.tree.leaf(n); len(text) == 1 {
			return text[0]
		}
	}
	return 0
}

func (p *Pretty) file(from, to int) {
	column, depth := 0, 0
	for i := from; i <= to && from < to; i++ {
		old := p.tree.gap(i)
		gap := old
		if d, line := p.lines[i]; line {
			depth = d
		}
		if blank(old) {
			ch := change{token: i, gap: p.gap(old, i, from, to)}
			joins := i > from && i < to && len(newlines(old)) > 0 && len(newlines(ch.gap)) == 0
			if joins && column+p.run(i, to) > width {
				ch.gap = p.line(depth + 1)
			}
			if i < to {
				ch.lexemes = p.tree.lineBreak(i, false)
			}
			if !bytes.Equal(ch.gap, old) || ch.lexemes != nil {
				p.changes = append(p.changes, ch)
				kept := change{token: i}
				if len(newlines(old)) > 0 && i < to && !blank(p.tree.text(i)) {
					kept.gap = p.line(depth)
				}
				p.kept = append(p.kept, kept)
			}
			gap = ch.gap
		}
		texts := [][]byte{gap}
		if i < to {
			texts = append(texts, p.tree.text(i))
		}
		for _, text := range texts {
			if line := bytes.LastIndexByte(text, '\n'); line >= 0 {
				column, text = 0, text[line+1:]
			}
			column += len(text)
		}
	}
}

func (p *Pretty) run(i, to int) (wide int) {
	for wide = 1 + len(p.tree.text(i)); ; wide += min(1, len(p.tree.gap(i))) + len(p.tree.text(i)) {
		if i++; i >= to || bytes.IndexByte(p.tree.gap(i), '\n') >= 0 {
			return wide
		}
		if _, line := p.lines[i]; line {
			return wide
		}
	}
}

func (p *Pretty) line(depth int) []byte {
	return slices.Concat(p.newline, bytes.Repeat(p.step, depth))
}

func (p *Pretty) gap(old []byte, i, from, to int) []byte {
	depth, line := p.lines[i]
	behindBreak := i > from && p.tree.Source[p.tree.Tokens[i-1].End-1] == '\n'
	switch {
	case i == to && !p.tree.wantsBreak(from, to), i == from,
		i < to && len(newlines(p.tree.text(i))) > 0 && blank(p.tree.text(i)):
		return []byte{}
	case i == to:
		return p.newline
	case behindBreak:
		return bytes.Repeat(p.step, depth)
	case line:
		return p.line(depth)
	case len(old) == 0 && p.spaced[i]:
		return []byte(" ")
	case len(old) == 0 || touch(p.tree.text(i-1), p.tree.text(i), len(newlines(old)) > 0):
		return []byte{}
	}
	return []byte(" ")
}

// touch reports whether two tokens have no space between them. line means that they were on two lines.
func touch(a, b []byte, line bool) bool {
	x, y := a[len(a)-1], b[0]
	switch {
	case len(a) == 1 && (x == '(' || x == '['), len(b) == 1 && bytes.IndexByte([]byte(")],;"), y) >= 0:
		return true
	case len(a) == 1 && x == '{' || len(b) == 1 && y == '}':
		return line || x == '{' && y == '}'
	}
	return line && x == '>' && y == '<' // tags
}
