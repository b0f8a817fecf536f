// Package text has the front ends for files without a grammar: flat lists of lines, words or
// characters, the structure of unknown formats, and a single token.
package text

import (
	"bytes"
	"iter"
	"unicode"
	"unicode/utf8"

	"whittle/parse"
)

// A Language splits any bytes into items, the children of one root.
type Language struct {
	// cut returns the length of the first item, or of white space and false.
	cut func(text []byte) (n int, item bool)
	// weigh returns the weight of an item; nil means 1.
	weigh func(item []byte) int
	names []string // of nodes: none, the file, its items
}

var links = []parse.Link{{}, {Kind: 1}, {Kind: 2}}

var (
	// Lines has an item for each line with its line break. The weight is the number of words, at least 1.
	Lines = &Language{
		cut: cutLine, weigh: func(line []byte) int { return max(1, countWords(line)) }, names: []string{"", "file", "line"},
	}
	// Words has an item for each run of bytes without white space.
	Words = &Language{cut: cutWord, names: []string{"", "file", "word"}}
	// Chars has an item for each UTF-8 character and each invalid byte.
	Chars = &Language{cut: cutChar, names: []string{"", "file", "character"}}
	// Whole has a single item.
	Whole = &Language{
		cut: func(text []byte) (int, bool) { return len(text), true }, names: []string{"", "file", "content"},
	}
)

// Parse fails only for a file of more than 2 GiB.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	if err := parse.CheckSize(source); err != nil {
		return nil, err
	}
	count := 0 // counted first, to allocate once for millions of items
	for range l.items(source) {
		count++
	}
	t := &parse.Tree{
		Source: source, Tokens: make([]parse.Token, 0, count), Nodes: make([]parse.Node, 1, count+1),
		NoSyntax: true, Fuse: func(int, []byte, []byte) bool { return false }, Names: l.names, Links: links,
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

// Errors returns 0.
func (l *Language) Errors([]byte) int { return 0 }

func cutLine(text []byte) (int, bool) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1, true
	}
	return len(text), true
}

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
