package isolation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
)

// A pairLanguage parses pair texts: two versions of a file, good and bad, in one text, which is
// reduced like any other file, as long as a test distinguishes the versions. A mark has the two
// texts of a difference, between boundaries with a hash of both versions, so that they occur in
// neither. A pairLanguage is safe for concurrent use.
//
//	return a <+|-> b;    return a + b; and return a - b;
//
// This is the problem of M. Zhang et al., "PPR: Pairwise Program Reduction" (FSE 2023). They walk
// two trees. Here a changed token in the tree of the bad version carries its text in the good
// one, so every pass reduces pairs.
type pairLanguage struct {
	language parse.Language
	boundary []byte
	text     []byte
}

// Kinds of the three boundaries of a mark.
const (
	open   = '<'
	middle = '|'
	closed = '>'
)

// newPair returns the pairLanguage of the pair texts of two versions, which language parses.
func newPair(good, bad []byte, language parse.Language) (*pairLanguage, error) {
	h := sha256.New()
	for _, version := range [][]byte{good, bad} {
		fmt.Fprintf(h, "%d ", len(version))
		h.Write(version)
	}
	l := &pairLanguage{language: language, boundary: fmt.Appendf(nil, "\x00whittle %x ", h.Sum(nil)[:16])}
	a, err := language.Parse(good)
	if err != nil {
		return nil, err
	}
	b, err := language.Parse(bad)
	if err != nil {
		return nil, err
	}
	l.text = l.join(a, b)
	return l, nil
}

// Errors returns the number of syntax errors of the version with more of them.
func (l *pairLanguage) Errors(text []byte) int {
	v, err := l.split(text)
	if err != nil {
		return parse.Unreadable
	}
	n := l.language.Errors(v.bad)
	if len(v.marks) > 0 {
		n = max(n, l.language.Errors(v.good))
	}
	return n
}

// Apart returns a property of pair texts: by p, the bad version is interesting and the good one
// is not. Equal versions are not tested.
func (l *pairLanguage) Apart(p oracle.Property) oracle.Property {
	return func(ctx context.Context, text []byte) (algo.Outcome, error) {
		v, err := l.split(text)
		if err != nil || bytes.Equal(v.good, v.bad) {
			return algo.Uninteresting, nil
		}
		if outcome, err := p(ctx, v.bad); err != nil || outcome != algo.Interesting {
			return outcome, err
		}
		return not(p)(ctx, v.good)
	}
}

// not inverts a property, to reduce a pair along the tree of the good version.
func not(p oracle.Property) oracle.Property {
	return func(ctx context.Context, file []byte) (algo.Outcome, error) {
		outcome, err := p(ctx, file)
		switch outcome {
		case algo.Interesting:
			outcome = algo.Uninteresting
		case algo.Uninteresting:
			outcome = algo.Interesting
		}
		return outcome, err
	}
}

type splitText struct {
	good, bad []byte
	marks     []mark
}

// A mark is a difference between the versions. It covers start to end of the pair text; its text
// in the bad version begins at body and is bad[from:to].
type mark struct{ start, body, end, from, to int }

var errNoPair = errors.New("this is no pair of these versions")

// split returns the two versions of a pair text. The error means that it is not a pair of l.
func (l *pairLanguage) split(text []byte) (splitText, error) {
	var v splitText
	if len(text) > math.MaxInt32 {
		return v, fmt.Errorf("the two versions have %d bytes; at most %d can be parsed", len(text), math.MaxInt32)
	}
	for rest := text; ; {
		both, inside, marked := l.cut(rest, open)
		v.good, v.bad = append(v.good, both...), append(v.bad, both...)
		if !marked {
			if bytes.Contains(both, l.boundary) {
				return splitText{}, errNoPair
			}
			return v, nil
		}
		good, inside, halved := l.cut(inside, middle)
		bad, behind, whole := l.cut(inside, closed)
		if !halved || !whole {
			return splitText{}, errNoPair
		}
		v.marks = append(v.marks, mark{
			start: len(text) - len(rest) + len(both), body: len(text) - len(inside), end: len(text) - len(behind),
			from: len(v.bad), to: len(v.bad) + len(bad),
		})
		v.good, v.bad = append(v.good, good...), append(v.bad, bad...)
		rest = behind
	}
}

// cut splits text at its first boundary, if that is of the kind.
func (l *pairLanguage) cut(text []byte, kind byte) (before, behind []byte, found bool) {
	before, behind, found = bytes.Cut(text, l.boundary)
	if !found || len(behind) == 0 || behind[0] != kind {
		return text, nil, false
	}
	return before, behind[1:], true
}
