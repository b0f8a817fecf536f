// Package pair makes one text of two versions of a file, to be reduced like any
// other: what goes, goes from both, as long as a test tells the two apart.
//
// It is what M. Zhang et al. reduce in "PPR: Pairwise Program Reduction" (FSE 2023).
// They walk the trees of both versions; here there is one, that of the bad version, in
// which a token that has changed carries what it is in the good one. So every pass
// over trees reduces pairs.
package pair

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

// A Language reads pair texts of two versions of a file, good and bad, and of what
// they are reduced to. In a pair text what both have stands as it is, and where they
// differ stands a mark: the text of the one and that of the other, behind boundaries
// that are in neither, for they hold a hash of both.
//
//	return a <+|-> b;    return a + b; and return a - b;
//
// It may be used by many goroutines.
type Language struct {
	language parse.Language
	boundary []byte
	text     []byte
}

// What stands behind the three boundaries of a mark.
const (
	open   = '<'
	middle = '|'
	closed = '>'
)

// New makes the Language of the pair texts of two versions that language reads.
func New(good, bad []byte, language parse.Language) (*Language, error) {
	h := sha256.New()
	for _, version := range [][]byte{good, bad} {
		fmt.Fprintf(h, "%d ", len(version))
		h.Write(version)
	}
	l := &Language{language: language, boundary: fmt.Appendf(nil, "\x00whittle %x ", h.Sum(nil)[:16])}
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

// Text returns the pair text of the two versions.
func (l *Language) Text() []byte { return l.text }

// Split returns the two versions that a pair text holds. The error says that it is no
// pair text of l, as when a part of a mark has gone.
func (l *Language) Split(text []byte) (good, bad []byte, err error) {
	v, err := l.split(text)
	return v.good, v.bad, err
}

// Errors counts the syntax errors of the version that has more.
func (l *Language) Errors(text []byte) int {
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

// Apart is the property of the pair texts of which p tells the versions apart: the bad
// one is interesting, and the good one is not. The bad one is asked about first; two
// that are the same are not.
func (l *Language) Apart(p oracle.Property) oracle.Property {
	return func(ctx context.Context, text []byte) (algo.Outcome, error) {
		good, bad, err := l.Split(text)
		if err != nil || bytes.Equal(good, bad) {
			return algo.Uninteresting, nil
		}
		if outcome, err := p(ctx, bad); err != nil || outcome != algo.Interesting {
			return outcome, err
		}
		return Not(p)(ctx, good)
	}
}

// Not is the property of what p finds uninteresting. By it the pair that begins with the
// bad version is reduced, along the tree of the good one: what only that has can go
// there token by token, and here with the tokens that it stands in front of.
func Not(p oracle.Property) oracle.Property {
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

// versions are what a pair text holds.
type versions struct {
	good, bad []byte
	marks     []mark
}

// A mark is a place where the versions differ: start and end are those of all of it
// in the pair text. What the bad version has there begins at body, and is bad[from:to]
// of it.
type mark struct{ start, body, end, from, to int }

var errNoPair = errors.New("this is no pair of these versions")

func (l *Language) split(text []byte) (versions, error) {
	var v versions
	if len(text) > math.MaxInt32 {
		return v, fmt.Errorf("the two versions have %d bytes; at most %d can be parsed", len(text), math.MaxInt32)
	}
	for rest := text; ; {
		both, inside, marked := l.cut(rest, open)
		v.good, v.bad = append(v.good, both...), append(v.bad, both...)
		if !marked {
			if bytes.Contains(both, l.boundary) {
				return versions{}, errNoPair
			}
			return v, nil
		}
		good, inside, halved := l.cut(inside, middle)
		bad, behind, whole := l.cut(inside, closed)
		if !halved || !whole {
			return versions{}, errNoPair
		}
		v.marks = append(v.marks, mark{
			start: len(text) - len(rest) + len(both), body: len(text) - len(inside), end: len(text) - len(behind),
			from: len(v.bad), to: len(v.bad) + len(bad),
		})
		v.good, v.bad = append(v.good, good...), append(v.bad, bad...)
		rest = behind
	}
}

// cut cuts text around the first boundary, if that is of a kind.
func (l *Language) cut(text []byte, kind byte) (before, behind []byte, found bool) {
	before, behind, found = bytes.Cut(text, l.boundary)
	if !found || len(behind) == 0 || behind[0] != kind {
		return text, nil, false
	}
	return before, behind[1:], true
}
