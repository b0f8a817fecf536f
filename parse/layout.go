package parse

import (
	"bytes"
	"slices"
)

// Plain returns t in a plain layout: no empty lines, no white space at the beginning of the file or
// at line ends, at most one space between tokens, none inside empty brackets. Each line is indented by
// two spaces, or a tab, for each enclosing line of less indentation. Line breaks stay, so no text moves
// into a comment, a directive or another statement.
//
// If careful is set, one of several empty lines stays, spaces within lines, and indentations.
func Plain(t *Tree, careful bool) *Candidate {
	p := plain{tree: t, careful: careful}
	if t.Parts == nil {
		p.file(0, len(t.Tokens))
	}
	for i := range t.Parts {
		head, end := t.partTokens(i)
		p.file(head+1, end)
	}
	c := Whole(t).edit()
	c.changes = p.changes
	return c.counted()
}

type plain struct {
	tree    *Tree
	careful bool
	tight   bool         // no space between a bracket and its content within a line
	open    []int        // widths of the indentations of the enclosing lines
	inLine  map[int]bool // tokens that continue a line
	changes []change
}

func (p *plain) file(from, to int) {
	p.open = p.open[:0]
	for i := from; i <= to && from < to; i++ {
		old := p.tree.gap(i)
		ch := change{token: i}
		if blank(old) {
			ch.gap = p.gap(old, i, from, to)
		}
		if i < to {
			ch.lexemes = p.tree.lineBreak(i, p.careful)
		}
		if ch.gap != nil && !bytes.Equal(ch.gap, old) || ch.lexemes != nil {
			if ch.gap == nil {
				ch.gap = old
			}
			p.changes = append(p.changes, ch)
		}
	}
}

func (p *plain) gap(old []byte, i, from, to int) []byte {
	lines := newlines(old)
	indent := old[bytes.LastIndexByte(old, '\n')+1:]
	switch {
	case i == to && !p.tree.wantsBreak(from, to):
		return []byte{}
	case i == to && len(lines) > 0:
		return lines[0]
	case i == to:
		return []byte("\n")
	case i == from:
		return p.indent(indent)
	case p.tree.Source[p.tree.Tokens[i-1].End-1] == '\n' && len(lines) == 0: // a line break token
		return p.indent(indent)
	case slices.Contains([]string{"()", "[]", "{}"}, string(p.tree.text(i-1))+string(p.tree.text(i))):
		return []byte{}
	case p.tight && (len(lines) == 0 && len(old) > 0 || p.inLine[i]) && touch(p.tree.text(i-1), p.tree.text(i), false):
		return []byte{}
	case p.inLine[i] && len(lines) > 0:
		return []byte(" ")
	case len(lines) > 1 && p.careful:
		return slices.Concat(lines[0], lines[1], p.indent(indent))
	case len(lines) > 0:
		return slices.Concat(lines[0], p.indent(indent))
	case len(old) > 1 && !p.careful && bytes.IndexByte(old, '\r') < 0:
		return []byte(" ")
	}
	return nil
}

// wantsBreak reports whether the file with the tokens [from, to) needs a line break at its end.
func (t *Tree) wantsBreak(from, to int) bool {
	text := t.Source[t.Tokens[from].Start:t.Tokens[to-1].End]
	return text[len(text)-1] != '\n' && (len(newlines(t.gap(to))) > 0 || bytes.IndexByte(text, 0) < 0)
}

// lineBreak returns the shortened line breaks of token i; nil means no change.
func (t *Tree) lineBreak(i int, careful bool) []lexeme {
	lines, most := newlines(t.text(i)), 1
	if careful {
		most = 2
	}
	if len(lines) <= most || !blank(t.text(i)) {
		return nil
	}
	return []lexeme{{text: slices.Concat(lines[:most]...), weight: t.weight(i)}}
}

func blank(text []byte) bool { return len(bytes.Trim(text, " \t\n\r\f\v")) == 0 }

func newlines(space []byte) (lines [][]byte) {
	for i, b := range space {
		switch {
		case b == '\n' && i > 0 && space[i-1] == '\r':
			lines = append(lines, space[i-1:i+1])
		case b == '\n':
			lines = append(lines, space[i:i+1])
		}
	}
	return lines
}

func (p *plain) indent(old []byte) []byte {
	width := 0
	for _, b := range old {
		if b == '\t' {
			width |= 7
		}
		width++
	}
	for len(p.open) > 0 && p.open[len(p.open)-1] >= width {
		p.open = p.open[:len(p.open)-1]
	}
	p.open = append(p.open, width)
	if p.careful {
		return old
	}
	step := old[:min(1, len(old))]
	if string(step) == " " {
		step = []byte("  ")
	}
	return bytes.Repeat(step, len(p.open)-1)
}
