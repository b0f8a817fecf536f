package parse

import "bytes"

// Render gives the text of c. Live tokens and the gaps between neighbours come
// out as they were. Where tokens are missing in between,
//
//   - the later token keeps its own gap, so dropped text takes along the white
//     space before it, but on one line the shorter gap is enough;
//   - a line break behind the earlier token stays a line break, so that nothing
//     moves into a line comment, a directive or another statement;
//   - two tokens that would fuse get a space;
//   - at the start of the file, empty lines go, and the space within a line.
//
// A candidate without live tokens is empty.
func (c *Candidate) Render() []byte {
	if c.text == nil {
		c.text = c.render()
	}
	return c.text
}

func (c *Candidate) render() []byte {
	t, n := c.tree, len(c.tree.Tokens)
	text := make([]byte, 0, len(t.Source)*c.live.count(0, n)/max(n, 1)+64)
	moves := c.moved
	prev := -1
	run := 0 // the first token behind i that is gone
	for i := c.live.next(0, n); i < n; {
		for len(moves) > 0 && moves[0].token < i {
			moves = moves[1:]
		}
		// [i, end) are live neighbours; only the first may have been moved.
		if i >= run {
			run = c.live.gone(i, n)
		}
		end := run
		var move moved
		if len(moves) > 0 && moves[0].token < end {
			if moves[0].token == i {
				move, moves = moves[0], moves[1:]
			}
			if len(moves) > 0 && moves[0].token < end {
				end = moves[0].token
			}
		}
		text = append(text, c.gapBetween(prev, i, move)...)
		from := t.Tokens[i].Start
		if move.text != nil {
			text = append(text, move.text...)
			from = t.Tokens[i].End
		}
		text = append(text, t.Source[from:t.Tokens[end-1].End]...)
		prev = end - 1
		if i = end; end == run {
			i = c.live.next(end, n)
		}
	}
	if prev >= 0 || n == 0 {
		text = append(text, t.gap(n)...)
	}
	return text
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
	case prev < 0 && bytes.IndexByte(gap, '\n') < 0:
		return nil
	case prev < 0:
		return gap[bytes.LastIndexByte(gap, '\n')+1:]
	case prev == i-1 && move.gap == nil && move.text == nil:
		return gap
	}
	if after := t.gap(prev + 1); c.moveOf(prev).text == nil && bytes.IndexByte(gap, '\n') < 0 && (bytes.IndexByte(after, '\n') >= 0 || len(after) < len(gap)) {
		gap = after
	}
	if len(gap) == 0 && c.fuse(prev, i) {
		return []byte(" ")
	}
	return gap
}

func (c *Candidate) fuse(prev, i int) bool {
	a, b := c.tokenText(prev), c.tokenText(i)
	if c.tree.Fuse != nil {
		return c.tree.Fuse(prev, a, b)
	}
	return fuse(a, b)
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

// Words gives the words of a text that begin like names: not those that begin
// with a digit.
func Words(text []byte) (words []string) {
	for len(text) > 0 {
		n := 0
		for n < len(text) && class(text[n]) == word {
			n++
		}
		if n > 0 && (text[0] < '0' || text[0] > '9') {
			words = append(words, string(text[:n]))
		}
		text = text[max(n, 1):]
	}
	return words
}
