package rules

import (
	"bytes"
	"slices"

	"whittle/parse"
)

// match returns the replacement by an alternative, or false if it changes nothing. Common tokens at both ends stay.
func (b bound) match(t *parse.Tree, with []item) (Match, bool) {
	all := int(b.at[len(b.items)] - b.at[0])
	m := Match{Siblings: b.siblings, Less: all - len(b.texts(t, with))}
	if m.Less == all {
		m.Drop = b.siblings
		return m, true
	}
	first, last, end := 0, len(b.items), len(with)
	for first < min(last, end) && b.items[first].equal(with[first]) {
		first++
	}
	for last > first && end > first && b.items[last-1].equal(with[end-1]) {
		last, end = last-1, end-1
	}
	if first == 0 && end == 0 {
		last, end = len(b.items), len(with) // a kept item can only be moved to the front
	}
	if first > 0 && first < end && with[first].name == "" {
		first-- // a token has its gap from the alternative, except as the first one of an edit
	}
	var pieces []parse.Piece
	for _, i := range with[first:end] {
		if i.name == "" {
			pieces = append(pieces, parse.Literal(i.gap, string(i.text)))
		} else if siblings := b.names[i.name]; len(siblings) > 0 {
			pieces = append(pieces, parse.Nodes(siblings...))
		}
	}
	edit := parse.Edit{From: b.at[first], To: b.at[last], With: pieces}
	var old [][]byte
	for k := edit.From; k < edit.To; k++ {
		old = append(old, text(t, k))
	}
	if slices.EqualFunc(b.texts(t, with[first:end]), old, bytes.Equal) {
		return m, false
	}
	m.Edits = []parse.Edit{edit}
	return m, true
}

func (b bound) texts(t *parse.Tree, items []item) (texts [][]byte) {
	for _, i := range items {
		siblings := b.names[i.name]
		switch {
		case i.name == "":
			texts = append(texts, i.text)
		case len(siblings) > 0:
			for k := t.Nodes[siblings[0]].First; k < t.Nodes[siblings[len(siblings)-1]].Last; k++ {
				texts = append(texts, text(t, k))
			}
		}
	}
	return texts
}
