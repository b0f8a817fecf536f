package text

import "whittle/parse"

// longLine is the length in bytes above which lines are split in any file.
const longLine = 1000

// join makes the last line a single token with the weight of its parts, without a comma or semicolon
// at its end, if its brackets match. A first token that is not a word stays alone, since it may
// determine the role of the line. Lines that begin with a tag have their role at the end.
func (o *outline) join() {
	for len(o.weights) < len(o.tokens) {
		o.weights = append(o.weights, 1)
	}
	if len(o.lines) == 0 {
		return
	}
	from, to := int(o.lines[len(o.lines)-1].first), len(o.tokens)
	first := o.tokens[from].Start
	if o.source[first] == '<' || o.tokens[to-1].End-first > longLine {
		return
	}
	if o.classes[from] != word {
		from++
	}
	if o.classes[to-1] == separator {
		to--
	}
	if to-from < 2 || !o.paired(from, to) {
		return
	}
	o.tokens[from] = parse.Token{Start: o.tokens[from].Start, End: o.tokens[to-1].End}
	o.classes[from], o.weights[from] = word, int32(to-from)
	o.tokens = append(o.tokens[:from+1], o.tokens[to:]...)
	o.classes = append(o.classes[:from+1], o.classes[to:]...)
	o.weights = append(o.weights[:from+1], o.weights[to:]...)
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
