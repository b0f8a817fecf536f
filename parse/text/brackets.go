package text

import "whittle/parse"

// pair is an open bracket that waits for its partner.
type pair struct {
	token  int32
	indent int32 // of its line
	close  byte
}

// brackets matches brackets by a stack. One that has no partner, or whose partner
// stands beyond the end of a surrounding pair, is a token like any other.
type brackets struct {
	open    []pair
	waiting [3]int // open brackets of each kind
	strays  int
}

var closers = map[byte]byte{'(': ')', '[': ']', '{': '}'}

func kindOf(close byte) int {
	switch close {
	case ')':
		return 0
	case ']':
		return 1
	}
	return 2
}

func (b *brackets) push(p pair) {
	b.open = append(b.open, p)
	b.waiting[kindOf(p.close)]++
}

func (b *brackets) pop() pair {
	p := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.waiting[kindOf(p.close)]--
	return p
}

// match returns the partner of a closing bracket, or false if it is a stray.
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

// outdent gives up the open brackets on lines that are indented deeper than the
// line of a closing bracket that begins its line.
func (b *brackets) outdent(indent int32) {
	for len(b.open) > 0 && b.open[len(b.open)-1].indent > indent {
		b.pop()
		b.strays++
	}
}

// end gives up the open brackets.
func (b *brackets) end() {
	b.strays += len(b.open)
	b.open, b.waiting = b.open[:0], [3]int{}
}

// all returns the number of brackets without a partner, at the end of the text.
func (b *brackets) all() int { return b.strays + len(b.open) }

// strays counts the brackets in text that have no partner.
func strays(text []byte) int {
	var b brackets
	s := scanner{source: text}
	for s.next() {
		if s.alone {
			b.end()
		}
		switch s.class {
		case opening:
			b.push(pair{close: closers[text[s.start]]})
		case closing:
			b.match(text[s.start])
		}
	}
	return b.all()
}

// partners returns for each token the bracket that it pairs with, or -1. Where
// brackets are missing, those are paired that stand on lines of one indentation,
// unless that leaves more of them alone.
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
		switch classes[i] {
		case opening:
			b.push(pair{int32(i), lines[at].indent, closers[source[tokens[i].Start]]})
		case closing:
			if byIndent && lines[at].first == int32(i) {
				b.outdent(lines[at].indent)
			}
			if p, ok := b.match(source[tokens[i].Start]); ok {
				partner[i], partner[p.token] = p.token, int32(i)
			}
		}
	}
	return partner, b.all()
}
