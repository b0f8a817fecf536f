package isolation

import (
	"bytes"
	"slices"
	"sort"

	"whittle/parse"
)

// Parse parses a pair text, with the nodes of the bad version. A mark is part of the token around
// it, or of the next one if it is between two. Errors mean that source is not a pair text of l, or
// that a version cannot be parsed.
func (l *pairLanguage) Parse(source []byte) (*parse.Tree, error) {
	v, err := l.split(source)
	if err != nil {
		return nil, err
	}
	good, err := l.language.Parse(v.good)
	if err != nil {
		return nil, err
	}
	bad, err := l.language.Parse(v.bad)
	if err != nil {
		return nil, err
	}
	t := *bad
	t.Source, t.Errors = source, max(good.Errors, bad.Errors)
	if len(bad.Tokens) == 0 {
		return single(t, v.marks), nil
	}
	t.Tokens = spread(bad.Tokens, v.marks)
	t.Needs = slices.Concat(bad.Needs, halves(bad.Tokens, v.marks))
	fuse := bad.Fuse
	if fuse == nil {
		fuse = func(_ int, a, b []byte) bool { return parse.Fuse(a, b) }
	}
	t.Fuse = func(i int, a, b []byte) bool {
		goodA, badA := l.sides(a)
		goodB, badB := l.sides(b)
		return fuse(i, badA, badB) || fuse(i, goodA, goodB)
	}
	return &t, nil
}

// single returns the tree of a pair whose bad version has no tokens: all marks are one token.
func single(t parse.Tree, marks []mark) *parse.Tree {
	if len(marks) > 0 {
		last := marks[len(marks)-1]
		t.Tokens, t.Weights = []parse.Token{{Start: int32(marks[0].start), End: int32(last.end)}}, nil
		t.Nodes = []parse.Node{t.Nodes[0]}
		t.Nodes[0].Last, t.Nodes[0].Next = 1, 1
		t.Fits, t.Least, t.Fuse = nil, nil, nil
	}
	return &t
}

// spread converts the tokens of the bad version to ranges of the pair text. Each byte of a mark is
// in a token.
func spread(tokens []parse.Token, marks []mark) []parse.Token {
	out := make([]parse.Token, len(tokens))
	for i, k := range tokens {
		out[i] = parse.Token{Start: place(marks, k.Start), End: place(marks, k.End-1) + 1}
	}
	for _, m := range marks {
		first, last := m.tokens(tokens)
		if first < len(tokens) {
			out[first].Start = min(out[first].Start, int32(m.start))
		} else {
			last = len(tokens) - 1
			first = last
		}
		if first <= last {
			out[last].End = max(out[last].End, int32(m.end))
		}
	}
	return out
}

// place converts an offset of the bad version to one of the pair text.
func place(marks []mark, i int32) int32 {
	at := int(i)
	k := sort.Search(len(marks), func(k int) bool { return marks[k].to > at })
	switch {
	case k < len(marks) && marks[k].from <= at:
		at += marks[k].body - marks[k].from
	case k > 0:
		at += marks[k-1].end - marks[k-1].to
	}
	return int32(at)
}

// tokens returns the first and the last token with bytes of a mark. If there are none, first is
// the next token and last is first-1.
func (m mark) tokens(tokens []parse.Token) (first, last int) {
	first = sort.Search(len(tokens), func(i int) bool { return int(tokens[i].End) > m.from })
	last = sort.Search(len(tokens), func(i int) bool { return int(tokens[i].Start) >= m.to }) - 1
	return first, last
}

// halves returns needs between the tokens in which a mark begins and ends.
func halves(tokens []parse.Token, marks []mark) (needs []parse.Need) {
	for _, m := range marks {
		if first, last := m.tokens(tokens); first < last {
			a, b := int32(first), int32(last)
			needs = append(needs, parse.Need{Token: a, Any: []int32{b}}, parse.Need{Token: b, Any: []int32{a}})
		}
	}
	return needs
}

// sides returns the text of a token in each version. It may contain only one end of a mark.
func (l *pairLanguage) sides(text []byte) (good, bad []byte) {
	if !bytes.Contains(text, l.boundary) {
		return text, text
	}
	begin := slices.Concat(l.boundary, []byte{open}, l.boundary, []byte{middle})
	end := append(slices.Clone(l.boundary), closed)
	for _, whole := range [][]byte{text, slices.Concat(text, end), slices.Concat(begin, text)} {
		if v, err := l.split(whole); err == nil {
			return v.good, v.bad
		}
	}
	return text, text // the end of one mark and the beginning of another
}
