package parse

import (
	"bytes"
	"slices"
)

// Removed returns the tokens of from that c deletes or edits, in order. edited reports whether c edits one.
func (c *Candidate) Removed(from *Candidate) (tokens []int, edited bool) {
	for i := range c.Gone() {
		if from.live.has(i) {
			tokens = append(tokens, i)
		}
	}
	deleted := len(tokens)
	for _, ch := range c.changes {
		if c.live.has(ch.token) && !bytes.Equal(c.tokenText(ch.token), from.tokenText(ch.token)) {
			tokens = append(tokens, ch.token)
		}
	}
	slices.Sort(tokens)
	return tokens, len(tokens) > deleted
}

// In returns the token of t for each token of c, where t is the tree of the text of c. It is -1 for a token that is not
// live, or is edited, or has other bounds in t.
func (c *Candidate) In(t *Tree) []int {
	starts := map[int]int{} // tokens of t, by the number of characters before
	at := 0
	for i := range t.Tokens {
		starts[at] = i
		at += solid(t.text(i))
	}
	tokens := slices.Repeat([]int{-1}, len(c.tree.Tokens))
	at = 0
	for i := range tokens {
		if !c.live.has(i) {
			continue
		}
		if same, ok := starts[at]; ok && bytes.Equal(t.text(same), c.tree.text(i)) {
			tokens[i] = same
		}
		at += solid(c.tokenText(i))
	}
	return tokens
}

// solid returns the number of characters that are not white space.
func solid(text []byte) (n int) {
	for len(text) > 0 {
		space := SpaceLen(text)
		if space == 0 {
			n++
		}
		text = text[max(space, 1):]
	}
	return n
}
