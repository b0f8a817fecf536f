// Package text holds the front ends for files without a grammar: a flat list of
// lines, words or characters; the structure of unknown formats; or the whole.
package text

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"unicode"
	"unicode/utf8"

	"whittle/parse"
)

// A Language cuts any bytes into items, the children of one root.
type Language struct {
	// cut returns the length of the item that text begins with; what is false
	// for white space that belongs to the gap before the next item.
	cut func(text []byte) (n int, item bool)
	// weigh returns an item's weight; nil if each weighs 1.
	weigh func(item []byte) int
	names []string // of nodes: none, the file, its items
}

// links are the chains of the file and its items.
var links = []parse.Link{{}, {Kind: 1}, {Kind: 2}}

var (
	// Lines has an item for each line, with its line break, that weighs as
	// much as it has words, and at least 1.
	Lines = &Language{
		cut: cutLine, weigh: func(line []byte) int { return max(1, countWords(line)) }, names: []string{"", "file", "line"},
	}
	// Words has an item for each run of bytes that are not white space.
	Words = &Language{cut: cutWord, names: []string{"", "file", "word"}}
	// Chars has an item for each UTF-8 character, and for each byte that is
	// none.
	Chars = &Language{cut: cutChar, names: []string{"", "file", "character"}}
	// Whole has one item, all there is.
	Whole = &Language{
		cut: func(text []byte) (int, bool) { return len(text), true }, names: []string{"", "file", "content"},
	}
)

// Parse reads any bytes. It fails only for a file of over 2 GiB.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	if err := checkSize(source); err != nil {
		return nil, err
	}
	count := 0 // first, so that millions of items are not copied as they become more
	for range l.items(source) {
		count++
	}
	t := &parse.Tree{
		Source: source, Tokens: make([]parse.Token, 0, count), Nodes: make([]parse.Node, 1, count+1),
		NoSyntax: true, Fuse: apart, Names: l.names, Links: links,
	}
	if l.weigh != nil {
		t.Weights = make([]int32, 0, count)
	}
	for start, end := range l.items(source) {
		k := int32(len(t.Tokens))
		t.Tokens = append(t.Tokens, parse.Token{Start: int32(start), End: int32(end)})
		t.Nodes = append(t.Nodes, parse.Node{First: k, Last: k + 1, Next: k + 2, Chain: 2, Slot: parse.Star, Fixed: true})
		if l.weigh != nil {
			t.Weights = append(t.Weights, int32(l.weigh(source[start:end])))
		}
	}
	t.Nodes[0] = parse.Node{Parent: -1, Last: int32(count), Next: int32(count + 1), Chain: 1}
	return t, nil
}

// items goes over the items of a text: where each begins and ends.
func (l *Language) items(source []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(source); {
			n, item := l.cut(source[i:])
			if item && !yield(i, i+n) {
				return
			}
			i += n
		}
	}
}

// apart is the Fuse of items: they may stand side by side, whatever they are.
func apart(int, []byte, []byte) bool { return false }

// checkSize says that a file is too large for the offsets in a tree.
func checkSize(source []byte) error {
	if len(source) > math.MaxInt32 {
		return fmt.Errorf("the file has %d bytes; at most %d can be parsed", len(source), math.MaxInt32)
	}
	return nil
}

// Errors returns 0: every text is good.
func (l *Language) Errors([]byte) int { return 0 }

func cutLine(text []byte) (int, bool) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1, true
	}
	return len(text), true
}

// countWords counts the runs of bytes that are not white space.
func countWords(text []byte) (words int) {
	for range bytes.FieldsSeq(text) {
		words++
	}
	return words
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
