package parse

import (
	"bytes"
	"slices"
)

// A Pretty is a layout of one statement a line: changes of white space, each of which
// may be made or not. The whole reads, in this order:
//
//   - what stands in the root, in braces that begin a line or have two statements, or in
//     brackets that are too wide for a line begins a line, and so does the bracket behind;
//   - other members of lists that begin lines still do, if they are more than a token, and
//     what does beside a line break that is a token;
//   - a line is indented by one step for each list around it that has lines, without brackets
//     if it was;
//   - all else is one line if that is not too wide: a space where there was white space,
//     none within empty brackets or between a bracket and what it holds, or before a comma;
//   - no line ends with a space, none is empty, and the file ends with a line break.
//
// Where the indentation of lines means something it is that of [Plain], with no space
// inside of brackets or before a comma.
//
// It is found by the tree alone, so a change may be wrong in a language where white
// space means something: whoever takes it asks whether the file reads the same.
type Pretty struct {
	tree    *Tree
	lines   map[int]int    // depth of the lines that begin with these tokens
	apart   map[int32]bool // what has brackets that are taken apart
	step    []byte
	newline []byte
	changes []change
	kept    []change // what is made instead of each that is not made
}

// width is how wide a line may be before brackets in it are taken apart.
const width = 80

// NewPretty returns the layout of t.
func NewPretty(t *Tree) *Pretty {
	p := &Pretty{tree: t, lines: map[int]int{}, apart: map[int32]bool{}, step: []byte("  "), newline: []byte("\n")}
	if bytes.Contains(t.Source, []byte("\n\t")) && !bytes.Contains(t.Source, []byte("\n ")) {
		p.step = []byte("\t")
	}
	if n := bytes.Count(t.Source, []byte("\r\n")); n > 0 && n == bytes.Count(t.Source, []byte("\n")) {
		p.newline = []byte("\r\n")
	}
	p.takeApart(0)
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

// layOut finds the changes of the tokens [from, to) of a file. Where the indentation of
// lines means something the lines stay.
func (p *Pretty) layOut(from, to int, indented bool) {
	if !indented {
		p.file(from, to)
		return
	}
	lines := plain{tree: p.tree, tight: true}
	lines.file(from, to)
	p.changes = append(p.changes, lines.changes...)
	p.kept = append(p.kept, make([]change, len(lines.changes))...)
}

// Best returns the whole of the tree with as many changes as may be made together, by
// what same says of a candidate: whether it reads the same. It is nil if there are more
// than a few that may not, for then lines mean something.
func (p *Pretty) Best(same func(*Candidate) bool) *Candidate {
	taken := Sift(len(p.changes), Reads(p.tree), func(some []int) bool { return same(p.with(some)) })
	if len(p.changes)-len(taken) > 2 {
		return nil
	}
	return p.with(taken)
}

// with returns the whole of the tree with some of the changes, in order. Where
// another was to join lines they stay two, the second in its depth.
func (p *Pretty) with(some []int) *Candidate {
	c := Whole(p.tree)
	for i, ch := range p.changes {
		switch {
		case len(some) > 0 && some[0] == i:
			c.changes, some = append(c.changes, ch), some[1:]
		case p.kept[i].gap != nil:
			c.changes = append(c.changes, p.kept[i])
		}
	}
	return c
}

// takeApart finds out which brackets in n are taken apart, and whether any are.
func (p *Pretty) takeApart(n int32) (any bool) {
	children := p.children(n)
	inside := make([]bool, len(children))
	for i, c := range children {
		inside[i] = p.takeApart(c)
		any = any || inside[i]
	}
	if open, end := p.brackets(children); open >= 0 && end > open+1 {
		p.apart[n] = p.isApart(children[open:end+1], slices.Contains(inside[open:end], true))
	}
	return any || p.apart[n]
}

// isApart reports whether what brackets hold is to stand on lines of its own; lines
// says that something in it is.
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

// node finds the lines below n, which stands in a line of that depth that was indented so
// far.
func (p *Pretty) node(n int32, depth, indented int) {
	children := p.children(n)
	open, end := p.brackets(children)
	root := p.tree.IsRoot(n)
	breaks := slices.ContainsFunc(children, func(c int32) bool {
		return p.tree.IsLeaf(c) && len(newlines(p.tree.leaf(c))) > 0 && blank(p.tree.leaf(c))
	})
	for i, c := range children {
		below := depth
		switch {
		case p.tree.isPart(c) || p.tree.isPart(n):
			below = 0
		case root && (p.tree.Nodes[c].Parent == n || p.tree.Nodes[c].Parent == c-1): // not the body of f() { }
			p.begin(c, depth)
		case p.apart[n] && open < i && i < end:
			below++
			p.begin(c, below)
		case p.apart[n] && i == end, breaks && p.broken(c):
			p.begin(c, depth)
		case p.keepsLine(c):
			if p.indentation(c) > indented {
				below++
			}
			p.begin(c, below)
		case i > 0 && p.tree.IsLeaf(c) && p.endsInLine(children[i-1]):
			p.begin(c, depth) // as `done` behind the lines of a loop
		}
		inner := indented
		if _, line := p.lines[int(p.tree.Nodes[c].First)]; line && p.broken(c) {
			inner = p.indentation(c)
		}
		p.node(c, below, inner)
	}
}

// begin lets n begin a line, unless it is white space, a separator, or a comment behind
// something.
func (p *Pretty) begin(n int32, depth int) {
	first := int(p.tree.Nodes[n].First)
	text := p.tree.text(first)
	if _, known := p.lines[first]; known || blank(text) || len(text) == 1 && (text[0] == ';' || text[0] == ',') ||
		p.tree.Nodes[n].Comment && !p.broken(n) {
		return
	}
	p.lines[first] = depth
}

// keepsLine reports whether n is a member of a list that begins a line as it is, and
// more than a token.
func (p *Pretty) keepsLine(n int32) bool {
	return p.broken(n) && (p.tree.Nodes[n].Comment || !p.tree.IsLeaf(n) && p.tree.InPlainList(n))
}

// broken reports whether n begins a line.
func (p *Pretty) broken(n int32) bool {
	return bytes.IndexByte(p.tree.gap(int(p.tree.Nodes[n].First)), '\n') >= 0
}

// indentation returns how far n is indented, which begins a line.
func (p *Pretty) indentation(n int32) int {
	gap := p.tree.gap(int(p.tree.Nodes[n].First))
	return len(gap) - bytes.LastIndexByte(gap, '\n') - 1
}

// endsInLine reports whether n has lines behind its first, of which the last is more
// than a bracket.
func (p *Pretty) endsInLine(n int32) bool {
	for i := p.tree.Nodes[n].Last - 1; i > p.tree.Nodes[n].First; i-- {
		if _, found := p.lines[int(i)]; found {
			return i < p.tree.Nodes[n].Last-1
		}
	}
	return false
}

// children returns the children of n, and of what is none to the grammar those of it.
func (p *Pretty) children(n int32) (all []int32) {
	for c := n + 1; c < p.tree.Nodes[n].Next; c = p.tree.Nodes[c].Next {
		if p.tree.Nodes[c].Chain == 0 && !p.tree.IsLeaf(c) && !p.tree.isPart(c) {
			all = append(all, p.children(c)...)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// brackets returns the first opening bracket among siblings and the last that closes
// it, or -1.
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

// char returns the one character that n is, or 0.
func (p *Pretty) char(n int32) byte {
	if p.tree.IsLeaf(n) {
		if text := p.tree.leaf(n); len(text) == 1 {
			return text[0]
		}
	}
	return 0
}

// file finds the changes of the tokens [from, to) of a file, and its end.
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
			if i < to && blank(p.tree.text(i)) {
				if lines := newlines(p.tree.text(i)); len(lines) > 1 {
					ch.row = []lexeme{{text: lines[0], weight: p.tree.weight(i)}}
				}
			}
			if !bytes.Equal(ch.gap, old) || ch.row != nil {
				p.changes = append(p.changes, ch)
				kept := change{token: i}
				if len(newlines(old)) > 0 && i < to && !blank(p.tree.text(i)) {
					kept.gap = p.line(depth)
				}
				p.kept = append(p.kept, kept)
			}
			gap = ch.gap
		}
		for _, text := range [][]byte{gap, p.tree.textBefore(i, to)} {
			if line := bytes.LastIndexByte(text, '\n'); line >= 0 {
				column, text = 0, text[line+1:]
			}
			column += len(text)
		}
	}
}

// textBefore returns the text of token i, if it is before to.
func (t *Tree) textBefore(i, to int) []byte {
	if i >= to {
		return nil
	}
	return t.text(i)
}

// run returns the width of what stands in the line of token i from it on.
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

// line returns what stands before a line.
func (p *Pretty) line(depth int) []byte {
	return slices.Concat(p.newline, bytes.Repeat(p.step, depth))
}

// gap returns what is to stand before token i in place of old.
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
	case len(old) == 0 || touch(p.tree.text(i-1), p.tree.text(i), len(newlines(old)) > 0):
		return []byte{}
	}
	return []byte(" ")
}

// touch reports whether nothing is to stand between two tokens, where a line ended or
// not.
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
