package text

import "whittle/parse"

// longLine is the length in bytes above which lines are split in any file.
const longLine = 1000

// join makes the last line a single token with the weight of its parts, without a comma or semicolon
// at its end. A first token that is no word or string stays alone, since it may determine the role of the
// line. Lines that begin with a tag have their role at the end. If a line is long, begins with a bracket, or its
// brackets do not match, only pairs of brackets become tokens.
func (o *outline) join() {
	for len(o.weights) < len(o.tokens) {
		o.weights = append(o.weights, 1)
	}
	if len(o.lines) == 0 {
		return
	}
	first := int(o.lines[len(o.lines)-1].first)
	from, to := first, len(o.tokens)
	start := o.tokens[first].Start
	if c := o.classes[from]; c != word && c != quoted {
		from++
	}
	if o.classes[to-1] == separator {
		to--
	}
	switch {
	case o.tokens[len(o.tokens)-1].End-start > longLine, o.classes[first] == opening, !o.paired(from, to):
		o.joinGroups(first)
		return
	case o.source[start] == '<' || to-from < 2:
		return
	}
	o.tokens[from] = parse.Token{Start: o.tokens[from].Start, End: o.tokens[to-1].End}
	o.classes[from], o.weights[from] = word, int32(to-from)
	o.tokens = append(o.tokens[:from+1], o.tokens[to:]...)
	o.classes = append(o.classes[:from+1], o.classes[to:]...)
	o.weights = append(o.weights[:from+1], o.weights[to:]...)
}

// joinGroups makes each pair of brackets in the last line a single token, if it is not long itself.
func (o *outline) joinGroups(from int) {
	var b brackets
	to := from
	for i := from; i < len(o.tokens); i++ {
		t, class, weight := o.tokens[i], o.classes[i], o.weights[i]
		// The indent is the number of strays before the bracket.
		p, closed := b.add(class, pair{token: int32(to), indent: int32(b.strays)}, o.source[t.Start])
		if closed && p.indent == int32(b.strays) && t.End-o.tokens[p.token].Start <= longLine {
			for _, w := range o.weights[p.token:to] {
				weight += w
			}
			to = int(p.token)
			t.Start, class = o.tokens[to].Start, word
		}
		o.tokens[to], o.classes[to], o.weights[to] = t, class, weight
		to++
	}
	o.tokens, o.classes, o.weights = o.tokens[:to], o.classes[:to], o.weights[:to]
}

func (o *outline) paired(from, to int) bool {
	var b brackets
	for i := from; i < to && len(b.open) <= 16; i++ {
		b.add(o.classes[i], pair{}, o.source[o.tokens[i].Start])
	}
	return b.all() == 0
}

// firstWord returns the word at the beginning of a text, with its sigil.
func firstWord(text string) string {
	for i := 1; i < len(text); i++ {
		if !isWord(text[i]) {
			return text[:i]
		}
	}
	return text
}
