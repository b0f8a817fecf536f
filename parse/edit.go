package parse

import (
	"bytes"
	"slices"
)

// An Edit puts pieces in the place of the live tokens in [From, To); where there
// are none, they stand in front of the next. Without pieces these tokens go.
type Edit struct {
	From, To int32
	With     []Piece
}

// A Piece is a part of what an [Edit] puts in: see [Nodes] and [Literal].
type Piece struct {
	nodes     []int32
	within    []int32 // the node, if any, whose line the lines of nodes are indented from
	gap, text []byte
}

// Nodes is the piece that has the live tokens of a row of siblings, from anywhere
// in the tree. They move if they stand in the range of the edit, in order; else
// they are copied, and stay where they are.
func Nodes(siblings ...int32) Piece { return Piece{nodes: siblings} }

// Within returns the piece p as a part of n: its lines keep their indentation relative
// to the line that n begins in, not to the one that p begins in.
func (p Piece) Within(n int32) Piece {
	p.within = []int32{n}
	return p
}

// Literal is the piece that has one token with this text, and gap in front of it.
// The first piece of an edit has the gap of what it replaces instead. A gap with a
// line break is followed by the indentation of the line that the edit begins in.
// Tokens that would fuse get a space between them, even if gap is "".
func Literal(gap, text string) Piece { return Piece{gap: []byte(gap), text: []byte(text)} }

// Replace returns the edit that puts pieces in the place of a row of siblings.
func (t *Tree) Replace(siblings []int32, with ...Piece) Edit {
	from, to := t.rangeOf(siblings)
	return Edit{int32(from), int32(to), with}
}

// Apply returns c with the edits made, whose ranges are disjoint. What they put in
// is as it is in c. Separators stay: see [Candidate.Drop].
//
// Invariant: each token that is put in belongs to a live token of the tree, its
// carrier, and goes with it.
func (c *Candidate) Apply(edits ...Edit) *Candidate {
	p := patch{c: c, out: c.edit(), changed: map[int]*change{}}
	for _, e := range edits {
		p.put(e)
	}
	return p.end()
}

// Hoist returns c with node n replaced by a descendant, or by a run of siblings
// below it, which takes n's gap and, where that means something, n's indentation.
func (c *Candidate) Hoist(n int32, run ...int32) *Candidate {
	return c.Apply(c.tree.Replace([]int32{n}, Nodes(run...)))
}

// A change is what edits have made of a live token.
type change struct {
	token int      // that behind the last for the end of a file
	gap   []byte   // stands before it; nil is its own
	row   []lexeme // stands in its place; nil is itself
}

// A lexeme is one token of a row.
type lexeme struct {
	gap    []byte // the first of a row has that of the change
	text   []byte // nil is that of the carrier itself
	weight int
}

// A patch is a candidate on its way to becoming another.
type patch struct {
	c, out  *Candidate
	changed map[int]*change
}

// end lays the changes over those that c had.
func (p *patch) end() *Candidate {
	changes := make([]change, 0, len(p.changed))
	for _, ch := range p.changed {
		changes = append(changes, *ch)
	}
	slices.SortFunc(changes, func(a, b change) int { return a.token - b.token })
	p.out.changes = mergeChanges(p.c.changes, changes)
	return p.out.counted()
}

// at returns what becomes of token i, to be changed further.
func (p *patch) at(i int) *change {
	ch := p.changed[i]
	if ch == nil {
		was := p.c.changeOf(i)
		ch = &was
		p.changed[i] = ch
	}
	return ch
}

// behind puts lexemes behind what stands in the place of token i.
func (p *patch) behind(i int, row []lexeme) {
	ch := p.at(i)
	ch.row = slices.Concat(p.c.itself(i, ch), row)
}

// inFront puts lexemes in front of what stands in the place of token i.
func (p *patch) inFront(i int, row []lexeme) {
	ch := p.at(i)
	own := slices.Clone(p.c.itself(i, ch))
	own[0].gap = p.c.gapOf(i)
	ch.row = slices.Concat(row, own)
}

// itself returns the row of a change, of the token alone if it has none.
func (c *Candidate) itself(i int, ch *change) []lexeme {
	if ch.row != nil {
		return ch.row
	}
	return []lexeme{{weight: c.tree.weight(i)}}
}

// put makes one edit.
func (p *patch) put(e Edit) {
	from, to := int(e.From), int(e.To)
	first := p.c.live.next(from, to)
	if first == to {
		p.insert(to, e.With)
		return
	}
	p.out.live.clear(from, to)
	indent := p.c.indentAt(first)
	last := -1           // the last token that has stayed
	var waiting []lexeme // what stands in front of the first that stays
	for _, piece := range e.With {
		start, end := p.stays(piece, max(from, last+1), to)
		if start == end {
			row := p.lexemes(piece, indent)
			if last < 0 {
				waiting = append(waiting, row...)
			} else {
				p.behind(last, row)
			}
			continue
		}
		p.out.live.take(p.c.live, start, end)
		p.indent(start, end, p.c.indentOf(piece, start), indent)
		switch {
		case waiting != nil:
			p.inFront(start, waiting)
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

// stays returns the live range of the tokens of a piece if these can stay where
// they are: in [from, to). Else the range is empty.
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

// insert puts pieces in front of the first live token from i on, or at the end.
func (p *patch) insert(i int, pieces []Piece) {
	n := len(p.c.tree.Tokens)
	next := p.c.live.next(i, n)
	carrier := next
	if next == n {
		if carrier = p.c.live.last(0, n); carrier < 0 {
			return // nothing is live that could carry it
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
		p.inFront(next, row)
	default:
		p.behind(carrier, row)
	}
}

// lexemes returns the tokens of a piece as they are where indent is the
// indentation of the line.
func (p *patch) lexemes(piece Piece, indent []byte) (row []lexeme) {
	if piece.nodes == nil {
		return []lexeme{{gap: indented(piece.gap, nil, indent), text: piece.text, weight: 1}}
	}
	c := p.c
	start, end := c.tree.rangeOf(piece.nodes)
	prev := -1
	var was []byte
	for i := c.live.next(start, end); i < end; i = c.live.next(i+1, end) {
		ch := c.changeOf(i)
		gap := c.gapOf(i)
		if prev >= 0 {
			gap = c.gapBetween(prev, i, start, ch)
		} else {
			was = c.indentOf(piece, i)
		}
		for k, l := range c.itself(i, &ch) {
			if k > 0 {
				gap = l.gap
			}
			if l.text == nil {
				l.text = c.tree.text(i)
			}
			row = append(row, lexeme{indented(gap, was, indent), l.text, l.weight})
		}
		prev = i
	}
	return row
}

// indented returns a gap in which the last line is indented by indent in the place
// of what it was indented by.
func indented(gap, was, indent []byte) []byte {
	line := bytes.LastIndexByte(gap, '\n') + 1
	if line == 0 || !bytes.HasPrefix(gap[line:], was) {
		return gap
	}
	return slices.Concat(gap[:line], indent, gap[line+len(was):])
}

// indentOf returns the indentation that the lines of a piece, which begins with token i,
// have as they are.
func (c *Candidate) indentOf(piece Piece, i int) []byte {
	if piece.within != nil {
		i = int(c.tree.Nodes[piece.within[0]].First)
	}
	return c.indentAt(i)
}

// indent gives the lines that begin behind the first token of [start, end) another
// indentation than they had, where that means something.
func (p *patch) indent(start, end int, was, indent []byte) {
	if !p.c.tree.indented(start) || bytes.Equal(was, indent) {
		return
	}
	for i := p.c.live.next(start+1, end); i < end; i = p.c.live.next(i+1, end) {
		gap := p.c.gapOf(i)
		if line := bytes.LastIndexByte(gap, '\n') + 1; line > 0 && bytes.HasPrefix(gap[line:], was) {
			p.at(i).gap = indented(gap, was, indent)
		}
	}
}
