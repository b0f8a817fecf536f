package isolate

import (
	"bytes"
	"slices"

	"whittle/internal/diff"
	"whittle/parse"
)

// A mixture is the sequence of the tokens of two files. A change replaces, removes or adds one token.
// A file with some changes has its tokens in this order.
type mixture struct {
	pieces  []piece
	changes int
}

// A piece is a common token, or a change.
type piece struct {
	good, bad token // empty if the file has no token here
	changes   bool
}

// A token includes the preceding white space.
type token struct {
	text []byte
	gap  int // length of the white space, in bytes
	at   int // index in the file
}

func mix(good, bad *parse.Tree) *mixture {
	a, b := tokensOf(good), tokensOf(bad)
	m := &mixture{}
	i, j := 0, 0
	both := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			m.pieces = append(m.pieces, piece{good: a[i], bad: b[j]})
		}
	}
	for _, d := range diff.Strings(texts(a), texts(b)) {
		both(d.A)
		for ; i < d.AEnd || j < d.BEnd; m.changes++ {
			p := piece{changes: true}
			if i < d.AEnd {
				p.good = a[i]
				i++
			}
			if j < d.BEnd {
				p.bad = b[j]
				j++
			}
			m.pieces = append(m.pieces, p)
		}
	}
	both(len(a))
	return m
}

// tokensOf returns the tokens of a file. The last may be white space only.
func tokensOf(t *parse.Tree) []token {
	var tokens []token
	end := int32(0)
	for i, k := range t.Tokens {
		tokens = append(tokens, token{t.Source[end:k.End], int(k.Start - end), i})
		end = k.End
	}
	if rest := t.Source[end:]; len(rest) > 0 {
		tokens = append(tokens, token{rest, len(rest), len(tokens)})
	}
	return tokens
}

func texts(tokens []token) []string {
	var texts []string
	for _, t := range tokens {
		texts = append(texts, string(t.text))
	}
	return texts
}

// render returns the file with some changes, which ascend. Tokens that are neighbours in neither file
// get a space if they would fuse.
func (m *mixture) render(made []int) []byte {
	var text []byte
	var last piece
	change := 0
	for _, p := range m.pieces {
		t := p.good
		if p.changes {
			if at, yes := slices.BinarySearch(made, change); yes {
				t, p.good = p.bad, token{}
				made = made[at:]
			} else {
				p.bad = token{}
			}
			change++
		}
		if len(t.text) == 0 {
			continue
		}
		if len(text) > 0 && t.gap == 0 && !p.follows(last) && parse.Fuse(last.text(), t.text) {
			text = append(text, ' ')
		}
		text = append(text, t.text...)
		last = p
	}
	return text
}

func (p piece) follows(last piece) bool {
	next := func(a, b token) bool { return len(a.text) > 0 && len(b.text) > 0 && b.at == a.at+1 }
	return next(last.good, p.good) || next(last.bad, p.bad)
}

func (p piece) text() []byte {
	if len(p.good.text) > 0 {
		return p.good.text
	}
	return p.bad.text
}

// runs groups the changes between so many line breaks: 2 gives the hunks of a diff without context, 1
// its lines.
func (m *mixture) runs(breaks int) (runs [][]int) {
	change, ends := 0, breaks
	for _, p := range m.pieces {
		if !p.changes {
			ends += p.ends(len(p.good.text))
			continue
		}
		if ends += p.ends(max(p.good.gap, p.bad.gap)); ends >= breaks || len(runs) == 0 {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], change)
		change++
		ends = 0
		if bytes.HasSuffix(p.good.text, []byte("\n")) || bytes.HasSuffix(p.bad.text, []byte("\n")) {
			ends = 1 // a token of the language "lines" includes its line break
		}
	}
	return runs
}

func (p piece) ends(n int) int {
	count := func(t token) int { return bytes.Count(t.text[:min(n, len(t.text))], []byte("\n")) }
	return max(count(p.good), count(p.bad))
}
