package parse

import (
	"bytes"
	"slices"
)

// An Edit replaces the live tokens in [From, To) with pieces. In a range without live tokens it
// inserts the pieces before the next one.
type Edit struct {
	From, To int32
	With     []Piece
}

// A Piece is a part of an [Edit]: see [Nodes] and [Literal].
type Piece struct {
	nodes     []int32
	within    []int32 // at most one node: see Within
	gap, text []byte
}

// Nodes is the piece with the live tokens of adjacent siblings. In the range of the edit they are
// moved, otherwise copied.
func Nodes(siblings ...int32) Piece { return Piece{nodes: siblings} }

// Within returns p with lines that keep their indentation relative to the line in which n begins.
func (p Piece) Within(n int32) Piece {
	p.within = []int32{n}
	return p
}

// Literal is the piece of one token with a gap before it. The first piece of an edit takes the gap of the replaced
// text. After a line break, the gap gets the indentation of the edit's line.
func Literal(gap, text string) Piece { return Piece{gap: []byte(gap), text: []byte(text)} }

// Replace returns the edit that replaces adjacent siblings.
func (t *Tree) Replace(siblings []int32, with ...Piece) Edit {
	from, to := t.rangeOf(siblings)
	return Edit{int32(from), int32(to), with}
}

// Keeps reports whether the edit keeps a node of its range.
func (e Edit) Keeps(t *Tree) bool {
	return slices.ContainsFunc(e.With, func(p Piece) bool {
		return len(p.nodes) > 0 && e.From <= t.Nodes[p.nodes[0]].First && t.Nodes[p.nodes[0]].Last <= e.To
	})
}

// Apply returns c with edits of disjoint ranges. Separators stay, unlike in [Candidate.Drop].
//
// Invariant: each inserted token is deleted with a live token of the tree, its carrier.
func (c *Candidate) Apply(edits ...Edit) *Candidate {
	p := patch{c: c, out: c.edit(), changed: map[int]*change{}}
	for _, e := range edits {
		p.put(e)
	}
	return p.end()
}

// Hoist returns c with n replaced by a descendant or a run of siblings below it.
func (c *Candidate) Hoist(n int32, run ...int32) *Candidate {
	return c.Apply(c.tree.Replace([]int32{n}, Nodes(run...)))
}

// A change is the effect of edits on a live token.
type change struct {
	token   int      // the number of tokens for the end of the file
	gap     []byte   // before the token; nil means unchanged
	lexemes []lexeme // replace the token; nil means unchanged
}

type lexeme struct {
	gap    []byte // unused for the first of a change
	text   []byte
	weight int
	joined bool // adjacent to the one before it in the tree, so they do not fuse
}

type patch struct {
	c, out  *Candidate
	changed map[int]*change
}

func (p *patch) end() *Candidate {
	changes := make([]change, 0, len(p.changed))
	for _, ch := range p.changed {
		changes = append(changes, *ch)
	}
	slices.SortFunc(changes, func(a, b change) int { return a.token - b.token })
	p.out.changes = mergeChanges(p.c.changes, changes, later)
	return p.out.counted()
}

func (p *patch) at(i int) *change {
	ch := p.changed[i]
	if ch == nil {
		was := p.c.changeOf(i)
		ch = &was
		p.changed[i] = ch
	}
	return ch
}

func (p *patch) append(i int, more []lexeme) {
	ch := p.at(i)
	ch.lexemes = slices.Concat(p.c.lexemesOf(i, ch), more)
}

func (p *patch) prepend(i int, more []lexeme) {
	ch := p.at(i)
	own := slices.Clone(p.c.lexemesOf(i, ch))
	own[0].gap = p.c.gapOf(i)
	ch.lexemes = slices.Concat(more, own)
}

func (c *Candidate) lexemesOf(i int, ch *change) []lexeme {
	if ch.lexemes != nil {
		return ch.lexemes
	}
	return []lexeme{{text: c.tree.text(i), weight: c.tree.weight(i)}}
}

func (p *patch) put(e Edit) {
	from, to := int(e.From), int(e.To)
	first := p.c.live.next(from, to)
	if first == to {
		p.insert(to, e.With)
		return
	}
	p.out.live.clear(from, to)
	indent := p.c.indentAt(first)
	last := -1           // the last token that is kept in place
	var waiting []lexeme // before the first token that is kept in place
	for _, piece := range e.With {
		start, end := p.stays(piece, max(from, last+1), to)
		if start == end {
			row := p.lexemes(piece, indent)
			if last < 0 {
				waiting = append(waiting, row...)
			} else {
				p.append(last, row)
			}
			continue
		}
		p.out.live.take(p.c.live, start, end)
		from := start
		if last < 0 {
			from++ // the first piece takes the gap of the replaced text
		}
		p.indent(from, end, p.c.indentOf(piece, start), indent)
		switch {
		case waiting != nil:
			p.prepend(start, waiting)
			waiting = nil
			fallthrough
		case last < 0 && start != first:
			p.at(start).gap = p.c.gapOf(first)
		}
		last = p.c.live.last(start, end)
	}
	if last < 0 && waiting != nil {
		p.out.live.take(p.c.live, first, first+1)
		*p.at(first) = change{first, p.c.gapOf(first), waiting}
	}
}

// stays returns the live range of a piece's tokens if they can stay in place.
func (p *patch) stays(piece Piece, from, to int) (start, end int) {
	if piece.nodes == nil {
		return 0, 0
	}
	start, end = p.c.tree.rangeOf(piece.nodes)
	if start < from || end > to {
		return 0, 0
	}
	return p.c.live.next(start, end), end
}

func (p *patch) insert(i int, pieces []Piece) {
	n := len(p.c.tree.Tokens)
	next := p.c.live.next(i, n)
	carrier := next
	if next == n {
		if carrier = p.c.live.last(0, n); carrier < 0 {
			return // no token can carry the pieces
		}
	}
	var row []lexeme
	for _, piece := range pieces {
		row = append(row, p.lexemes(piece, p.c.indentAt(carrier))...)
	}
	switch {
	case len(row) == 0:
	case next < n:
		ch := p.at(next)
		ch.gap = p.c.gapOf(next)
		p.prepend(next, row)
	default:
		p.append(carrier, row)
	}
}

func (p *patch) lexemes(piece Piece, indent []byte) (row []lexeme) {
	if piece.nodes == nil {
		return []lexeme{{gap: indented(piece.gap, nil, indent), text: piece.text, weight: 1}}
	}
	c := p.c
	start, end := c.tree.rangeOf(piece.nodes)
	prev, was := -1, []byte(nil)
	for i := c.live.next(start, end); i < end; i = c.live.next(i+1, end) {
		ch := c.changeOf(i)
		gap := c.gapOf(i)
		if prev >= 0 {
			gap = c.gapBetween(prev, i, start, ch)
		} else {
			was = c.indentOf(piece, i)
		}
		joined := prev >= 0 && len(gap) == 0
		for k, l := range c.lexemesOf(i, &ch) {
			if k > 0 {
				gap, joined = l.gap, l.joined
			}
			row = append(row, lexeme{indented(gap, was, indent), l.text, l.weight, joined})
		}
		prev = i
	}
	return row
}

// indented replaces the last line's indentation in gap.
func indented(gap, was, indent []byte) []byte {
	line := bytes.LastIndexByte(gap, '\n') + 1
	if line == 0 || !bytes.HasPrefix(gap[line:], was) {
		return gap
	}
	return slices.Concat(gap[:line], indent, gap[line+len(was):])
}

func (c *Candidate) indentOf(piece Piece, i int) []byte {
	if piece.within != nil {
		i = int(c.tree.Nodes[piece.within[0]].First)
	}
	return c.indentAt(i)
}

// indent changes a significant indentation of the lines that begin with the tokens from start.
func (p *patch) indent(start, end int, was, indent []byte) {
	if start >= end || !p.c.tree.IsIndented(start) || bytes.Equal(was, indent) {
		return
	}
	for i := p.c.live.next(start, end); i < end; i = p.c.live.next(i+1, end) {
		gap := p.c.gapOf(i)
		if line := bytes.LastIndexByte(gap, '\n') + 1; line > 0 && bytes.HasPrefix(gap[line:], was) {
			p.at(i).gap = indented(gap, was, indent)
		}
	}
}
