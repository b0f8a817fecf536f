package parse

import (
	"bytes"
	"slices"
)

// Render returns the text of c. Live tokens and the gaps between adjacent ones are unchanged. Where
// tokens were deleted in between:
//
//   - The later token keeps its gap. Within a line, the shorter gap is used.
//   - A line break after the earlier token stays, so that no text moves into a line comment, a
//     directive or another statement.
//   - Two tokens that would fuse get a space, unless only tokens of spaces were deleted.
//   - At the start of the file, empty lines are deleted, and space within a line.
//   - [Tree.Derive] changes a file that is not the whole tree.
//
// Each file of an archive is rendered by itself, after its head.
func (c *Candidate) Render() []byte {
	if c.text == nil {
		c.text = c.render()
	}
	return c.text
}

func (c *Candidate) render() []byte {
	d := c.derive()
	c.derived = d.weight - c.weight
	c = d
	t := c.tree
	n := len(t.Tokens)
	text := make([]byte, 0, (len(t.Source)+64)*(c.live.count(0, n)+1)/(n+1)) // about the size
	if t.Parts == nil {
		return c.renderFile(text, 0, n, nil)
	}
	for i := range t.Parts {
		if head, end := t.partTokens(i); c.live.has(head) {
			text = append(text, c.tokenText(head)...)
			text = c.renderFile(text, head+1, end, nil)
		}
	}
	return text
}

// derive returns c with the edits of [Tree.Derive].
func (c *Candidate) derive() *Candidate {
	t := c.tree
	if n := len(t.Tokens); t.Derive != nil && (len(c.changes) > 0 || c.live.count(0, n) < n) {
		return c.Apply(t.Derive(c, 0)...)
	}
	return c
}

// renderFile appends a file of a candidate that [Candidate.derive] returned. It calls begins, which may be nil, with
// each token and its offset in text.
func (c *Candidate) renderFile(text []byte, from, to int, begins func(token, offset int)) []byte {
	t := c.tree
	changes := c.changes[c.changesFrom(from):]
	prev := from - 1
	run := from // the first dead token after i
	for i := c.live.next(from, to); i < to; {
		for len(changes) > 0 && changes[0].token < i {
			changes = changes[1:]
		}
		// [i, end) are adjacent live tokens. Only the first may be changed, and then it is the last.
		if i >= run {
			run = c.live.gone(i, to)
		}
		end := run
		var own change
		if len(changes) > 0 && changes[0].token < end {
			if changes[0].token == i {
				own, changes = changes[0], changes[1:]
			}
			switch {
			case own.lexemes != nil:
				end = i + 1
			case len(changes) > 0 && changes[0].token < end:
				end = changes[0].token
			}
		}
		text = append(text, c.gapBetween(prev, i, from, own)...)
		for k := i; k < end && begins != nil; k++ {
			begins(k, len(text)+int(t.Tokens[k].Start-t.Tokens[i].Start))
		}
		if own.lexemes != nil {
			text = c.appendLexemes(text, own)
		} else {
			text = append(text, t.Source[t.Tokens[i].Start:t.Tokens[end-1].End]...)
		}
		prev = end - 1
		if i = end; end == run {
			i = c.live.next(end, to)
		}
	}
	if prev >= from || from == to {
		text = append(text, c.gapOf(to)...)
	}
	return text
}

// gapBetween returns the text between two consecutive live tokens. If prev < from, i is the first live token of its
// file. A gap with &, which continues a line of Fortran, stays.
func (c *Candidate) gapBetween(prev, i, from int, own change) []byte {
	t := c.tree
	gap := t.gap(i)
	if own.gap != nil {
		gap = own.gap
	}
	switch {
	case prev < from && i == from:
		return gap
	case prev < from && bytes.IndexByte(gap, '\n') < 0:
		return nil
	case prev < from:
		return gap[bytes.LastIndexByte(gap, '\n')+1:]
	case prev == i-1 && own.gap == nil && own.lexemes == nil && c.changeOf(prev).lexemes == nil:
		return gap
	}
	if after := t.gap(prev + 1); prev < i-1 && c.changeOf(prev).lexemes == nil && (bytes.IndexByte(after, '&') >= 0 ||
		bytes.IndexByte(gap, '\n') < 0 && (bytes.IndexByte(after, '\n') >= 0 || len(after) < len(gap))) {
		gap = after
	}
	if len(gap) == 0 && t.fuses(prev, c.lastText(prev), c.firstText(i)) && !c.spaceGone(prev, i) && !c.touched(prev, i) {
		return []byte(" ")
	}
	return gap
}

// touched reports whether two tokens were adjacent before, with characters of the same classes.
func (c *Candidate) touched(prev, i int) bool {
	if prev != i-1 || len(c.tree.gap(i)) > 0 {
		return false
	}
	before, a, after, b := c.tree.text(prev), c.lastText(prev), c.tree.text(i), c.firstText(i)
	return len(a) > 0 && len(b) > 0 && class(a[len(a)-1]) == class(before[len(before)-1]) && class(b[0]) == class(after[0])
}

// spaceGone reports whether only significant space was deleted in between.
func (c *Candidate) spaceGone(prev, i int) bool {
	gone := c.tree.Tokens[prev+1 : i]
	return len(gone) > 0 && !slices.ContainsFunc(gone, func(k Token) bool {
		return len(bytes.Trim(c.tree.Source[k.Start:k.End], " \t")) > 0
	})
}

func (t *Tree) fuses(i int, a, b []byte) bool {
	if t.Fuse != nil {
		return t.Fuse(i, a, b)
	}
	return Fuse(a, b)
}

// Fuse reports whether two adjacent tokens might read as other tokens.
func Fuse(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := class(a[len(a)-1]), class(b[0])
	switch {
	case x == word && y == quote: // might become a prefixed string
		return len(a) <= 3 && WordLen(a) == len(a)
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

// Words returns the words of a text, except those that begin with a digit.
func Words(text []byte) (words []string) {
	for len(text) > 0 {
		n := WordLen(text)
		if n > 0 && (text[0] < '0' || text[0] > '9') {
			words = append(words, string(text[:n]))
		}
		text = text[max(n, 1):]
	}
	return words
}

// WordLen returns the length of the word at the beginning of text, which may begin with a digit.
func WordLen[T string | []byte](text T) (n int) {
	for n < len(text) && class(text[n]) == word {
		n++
	}
	return n
}

// SpaceLen returns the length of the white space character or escaped line break at the beginning of text.
func SpaceLen(text []byte) int {
	switch text[0] {
	case ' ', '\t', '\n', '\r', '\f', '\v':
		return 1
	case '\\':
		if len(text) > 1 && text[1] == '\n' {
			return 2
		}
		if len(text) > 2 && text[1] == '\r' && text[2] == '\n' {
			return 3
		}
	}
	return 0
}
