package parse

import "bytes"

// Text is what a candidate renders to, with where its pieces come from.
type Text struct {
	Bytes  []byte
	pieces []piece // in order, both here and in the source
}

// piece says that Bytes[at:at+n] is Source[from:from+n].
type piece struct{ at, from, n int }

// Render gives the text of c. Live tokens and the gaps between neighbours come
// out as they were. Where tokens are missing in between,
//
//   - the later token keeps its own gap, so dropped text takes along the white
//     space before it;
//   - a line break behind the earlier token stays a line break, so that nothing
//     moves into a line comment, a directive or another statement;
//   - two tokens that would fuse get a space;
//   - at the start of the file, empty lines go.
//
// A candidate without live tokens is empty.
func (c *Candidate) Render() *Text {
	if c.text == nil {
		c.text = c.render()
	}
	return c.text
}

func (c *Candidate) render() *Text {
	t, n := c.tree, len(c.tree.Tokens)
	text := &Text{}
	moves := c.moved
	prev := -1
	for i := c.live.next(0, n); i < n; {
		for len(moves) > 0 && moves[0].token < i {
			moves = moves[1:]
		}
		// [i, end) are live neighbours; only the first may have been moved.
		end := c.live.gone(i, n)
		var move moved
		if len(moves) > 0 && moves[0].token < end {
			if moves[0].token == i {
				move, moves = moves[0], moves[1:]
			}
			if len(moves) > 0 && moves[0].token < end {
				end = moves[0].token
			}
		}
		if gap := c.gapBetween(prev, i, move); len(gap) > 0 {
			if at := int(t.Tokens[i].Start) - len(gap); at >= 0 && &gap[0] == &t.Source[at] {
				text.copy(t, at, int(t.Tokens[i].Start))
			} else {
				text.Bytes = append(text.Bytes, gap...)
			}
		}
		from := int(t.Tokens[i].Start)
		if move.text != nil {
			text.Bytes = append(text.Bytes, move.text...)
			from = int(t.Tokens[i].End)
		}
		text.copy(t, from, int(t.Tokens[end-1].End))
		prev = end - 1
		i = c.live.next(end, n)
	}
	if prev >= 0 || n == 0 {
		text.copy(t, len(t.Source)-len(t.gap(n)), len(t.Source))
	}
	return text
}

// copy appends a piece of the source.
func (text *Text) copy(t *Tree, from, to int) {
	if from >= to {
		return
	}
	at := len(text.Bytes)
	if k := len(text.pieces) - 1; k >= 0 && text.pieces[k].at+text.pieces[k].n == at && text.pieces[k].from+text.pieces[k].n == from {
		text.pieces[k].n += to - from
	} else {
		text.pieces = append(text.pieces, piece{at, from, to - from})
	}
	text.Bytes = append(text.Bytes, t.Source[from:to]...)
}

// gapBetween gives the text between the live tokens prev and i, with nothing
// live in between; prev is -1 at the start of the file.
func (c *Candidate) gapBetween(prev, i int, move moved) []byte {
	t := c.tree
	gap := t.gap(i)
	if move.gap != nil {
		gap = move.gap
	}
	switch {
	case prev < 0 && i == 0:
		return gap
	case prev < 0:
		return gap[bytes.LastIndexByte(gap, '\n')+1:]
	case prev == i-1 && move.gap == nil && move.text == nil:
		return gap
	}
	if after := t.gap(prev + 1); bytes.IndexByte(after, '\n') >= 0 && bytes.IndexByte(gap, '\n') < 0 {
		gap = after
	}
	if len(gap) == 0 && fuse(c.tokenText(prev), c.tokenText(i)) {
		return []byte(" ")
	}
	return gap
}

// fuse tells whether two tokens might read as one, or as others, when nothing
// stands between them.
func fuse(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := class(a[len(a)-1]), class(b[0])
	switch {
	case x == word && y == quote: // might become a prefixed string
		return len(a) <= 3
	case x == word || x == operator:
		return x == y
	}
	return false
}

type byteClass uint8

const (
	other byteClass = iota
	word
	operator
	quote
)

func class(b byte) byteClass {
	switch {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_', b == '$', b >= 0x80:
		return word
	case bytes.IndexByte([]byte("+-*/%&|<>=!:.?#@^~\\"), b) >= 0:
		return operator
	case b == '"' || b == '\'' || b == '`':
		return quote
	}
	return other
}

// An Edit says that base[Start:OldEnd] became text[Start':Start'+New], where
// edits are listed in order and what lies between them is the same in both.
type Edit struct{ Start, OldEnd, New int }

// Edits gives what turns base into text, both made from the same tree, and for
// each edit the place in text where its new bytes begin.
func Edits(base, text *Text) (edits []Edit, at []int) {
	endB, endT := 0, 0 // behind the last common piece
	add := func(startB, startT int) {
		if startB > endB || startT > endT {
			edits = append(edits, Edit{endB, startB, startT - endT})
			at = append(at, endT)
		}
	}
	for b, t := base.pieces, text.pieces; len(b) > 0 && len(t) > 0; {
		from, to := max(b[0].from, t[0].from), min(b[0].from+b[0].n, t[0].from+t[0].n)
		if from < to {
			startB, startT := b[0].at+from-b[0].from, t[0].at+from-t[0].from
			add(startB, startT)
			endB, endT = startB+to-from, startT+to-from
		}
		if b[0].from+b[0].n < t[0].from+t[0].n {
			b = b[1:]
		} else {
			t = t[1:]
		}
	}
	add(len(base.Bytes), len(text.Bytes))
	return edits, at
}
