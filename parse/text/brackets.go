package text

import (
	"strings"

	"whittle/parse"
)

// A pair is an open bracket without its partner yet.
type pair struct {
	token  int32
	indent int32
	close  byte
}

// brackets matches brackets. A pair does not extend beyond a surrounding pair.
type brackets struct {
	open    []pair
	waiting [3]int // number of open brackets by kind
	strays  int
}

var closers = map[byte]byte{'(': ')', '[': ']', '{': '}'}

func kindOf(close byte) int { return strings.IndexByte(")]}", close) }

func (b *brackets) pop() pair {
	p := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.waiting[kindOf(p.close)]--
	return p
}

// add returns true and the pair that the token closes.
func (b *brackets) add(c class, p pair, text byte) (pair, bool) {
	switch c {
	case opening:
		p.close = closers[text]
		b.open = append(b.open, p)
		b.waiting[kindOf(p.close)]++
	case closing:
		return b.match(text)
	}
	return pair{}, false
}

func (b *brackets) match(close byte) (pair, bool) {
	if b.waiting[kindOf(close)] == 0 {
		b.strays++
		return pair{}, false
	}
	for {
		if p := b.pop(); p.close == close {
			return p, true
		}
		b.strays++
	}
}

func (b *brackets) outdent(indent int32) {
	for len(b.open) > 0 && b.open[len(b.open)-1].indent > indent {
		b.pop()
		b.strays++
	}
}

func (b *brackets) end() {
	b.strays += len(b.open)
	b.open, b.waiting = b.open[:0], [3]int{}
}

func (b *brackets) all() int { return b.strays + len(b.open) }

func strays(text []byte) int {
	var b brackets
	s := scanner{source: text, marker: markerOf(text), fixed: isFixed(text)}
	for s.next() {
		if s.alone {
			b.end()
		}
		b.add(s.class, pair{}, text[s.start])
	}
	return b.all()
}

// partners returns the partner of each bracket, or -1. If brackets are missing, those on lines of equal indentation
// become pairs, unless that leaves more without a partner.
func partners(source []byte, tokens []parse.Token, classes []class, lines []line) (partner []int32, strays int) {
	partner, strays = pairUp(source, tokens, classes, lines, false)
	if strays > 0 {
		if other, n := pairUp(source, tokens, classes, lines, true); n <= strays {
			return other, strays
		}
	}
	return partner, strays
}

func pairUp(source []byte, tokens []parse.Token, classes []class, lines []line, byIndent bool) ([]int32, int) {
	partner := make([]int32, len(tokens))
	var b brackets
	at := 0 // the line of token i
	for i := range tokens {
		partner[i] = -1
		if at+1 < len(lines) && lines[at+1].first == int32(i) {
			at++
		}
		if lines[at].alone && lines[at].first == int32(i) {
			b.end()
		}
		if byIndent && classes[i] == closing && lines[at].first == int32(i) {
			b.outdent(lines[at].indent)
		}
		p := pair{token: int32(i), indent: lines[at].indent}
		if p, ok := b.add(classes[i], p, source[tokens[i].Start]); ok {
			partner[i], partner[p.token] = p.token, int32(i)
		}
	}
	return partner, b.all()
}
