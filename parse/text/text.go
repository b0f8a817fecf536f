// Package text holds the front ends for files without a grammar: a flat list of
// lines, words or characters; the structure of unknown formats; or the whole.
package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"whittle/parse"
)

// A Language cuts any bytes into items, the children of one root.
type Language struct {
	// cut gives the length of the item that text begins with; what is false
	// for white space that belongs to the gap before the next item.
	cut func(text []byte) (n int, item bool)
	// weigh gives an item's weight; nil if each weighs 1.
	weigh func(item []byte) int
}

var (
	// Lines has an item for each line, with its line break, that weighs as
	// much as it has words, and at least 1.
	Lines = &Language{cutLine, func(line []byte) int { return max(1, len(bytes.Fields(line))) }}
	// Words has an item for each run of bytes that are not white space.
	Words = &Language{cut: cutWord}
	// Chars has an item for each UTF-8 character, and for each byte that is
	// none.
	Chars = &Language{cut: cutChar}
	// Whole has one item, all there is.
	Whole = &Language{cut: func(text []byte) (int, bool) { return len(text), true }}
)

// Parse reads any bytes. It never fails.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	t := &parse.Tree{Source: source, Nodes: []parse.Node{{Parent: -1}}}
	for i := 0; i < len(source); {
		n, item := l.cut(source[i:])
		if item {
			k := int32(len(t.Tokens))
			t.Tokens = append(t.Tokens, parse.Token{Start: int32(i), End: int32(i + n)})
			t.Nodes = append(t.Nodes, parse.Node{First: k, Last: k + 1, Next: k + 2, Kind: 1, Inner: 1, Slot: parse.Star})
			if l.weigh != nil {
				t.Weights = append(t.Weights, int32(l.weigh(source[i:i+n])))
			}
		}
		i += n
	}
	t.Nodes[0].Last, t.Nodes[0].Next = int32(len(t.Tokens)), int32(len(t.Nodes))
	return t, nil
}

// Errors gives 0: every text is good.
func (l *Language) Errors([]byte) int { return 0 }

func cutLine(text []byte) (int, bool) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1, true
	}
	return len(text), true
}

func cutWord(text []byte) (int, bool) {
	r, _ := utf8.DecodeRune(text)
	item := !unicode.IsSpace(r)
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if unicode.IsSpace(r) == item {
			break
		}
		n += size
	}
	return n, item
}

func cutChar(text []byte) (int, bool) {
	_, n := utf8.DecodeRune(text)
	return n, true
}
