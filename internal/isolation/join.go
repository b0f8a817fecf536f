package isolation

import (
	"bytes"

	"whittle/internal/diff"
	"whittle/parse"
)

// join makes a pair text: the tokens of the bad version, with a mark for each token that differs
// in the good one. A run of changed tokens is paired in order. Surplus tokens of the good version
// join the last one.
func (l *pairLanguage) join(good, bad *parse.Tree) []byte {
	w := writer{pairLanguage: l}
	i, j := 0, 0
	both := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			w.gap(gap(good, i), gap(bad, j))
			w.text = append(w.text, token(bad, j)...)
		}
	}
	for _, d := range diff.Strings(texts(good), texts(bad)) {
		both(d.A)
		for ; j < d.BEnd; j++ {
			end := min(i+1, d.AEnd)
			if j == d.BEnd-1 {
				end = d.AEnd
			}
			w.token(good, i, end, bad, j, j+1)
			i = end
		}
		w.token(good, i, d.AEnd, bad, j, j)
		i = d.AEnd
	}
	both(len(good.Tokens))
	w.last(gap(good, i), gap(bad, j))
	return w.text
}

func texts(t *parse.Tree) []string {
	texts := make([]string, len(t.Tokens))
	for i := range t.Tokens {
		texts[i] = string(token(t, i))
	}
	return texts
}

func token(t *parse.Tree, i int) []byte { return t.Source[t.Tokens[i].Start:t.Tokens[i].End] }

// gap returns the text between token i and the one before; behind the last token for i = n.
func gap(t *parse.Tree, i int) []byte {
	end := len(t.Source)
	if i < len(t.Tokens) {
		end = int(t.Tokens[i].Start)
	}
	return t.Source[start(t, i):end]
}

// start returns the offset of the gap of token i.
func start(t *parse.Tree, i int) int {
	if i == 0 {
		return 0
	}
	return int(t.Tokens[i-1].End)
}

type writer struct {
	*pairLanguage
	text []byte
}

// token writes tokens of both versions, with their gaps. The common part of the first gaps is
// outside the mark.
func (w *writer) token(good *parse.Tree, i, iEnd int, bad *parse.Tree, j, jEnd int) {
	common := 0
	if i < iEnd && j < jEnd {
		common = diff.Prefix(gap(good, i), gap(bad, j))
	}
	from, to := start(good, i), start(bad, j)
	w.text = append(w.text, bad.Source[to:to+common]...)
	w.mark(good.Source[from+common:start(good, iEnd)], bad.Source[to+common:start(bad, jEnd)])
}

// gap writes the white space before a token.
func (w *writer) gap(good, bad []byte) {
	n := diff.Prefix(good, bad)
	w.text = append(w.text, bad[:n]...)
	w.mark(good[n:], bad[n:])
}

// last writes the white space at the end, where a mark belongs to the token before.
func (w *writer) last(good, bad []byte) {
	n := diff.Suffix(good, bad)
	w.mark(good[:len(good)-n], bad[:len(bad)-n])
	w.text = append(w.text, bad[len(bad)-n:]...)
}

// mark writes a mark, or the text alone if both versions have the same.
func (w *writer) mark(good, bad []byte) {
	if bytes.Equal(good, bad) {
		w.text = append(w.text, bad...)
		return
	}
	w.text = append(append(append(w.text, w.boundary...), open), good...)
	w.text = append(append(append(w.text, w.boundary...), middle), bad...)
	w.text = append(append(w.text, w.boundary...), closed)
}
