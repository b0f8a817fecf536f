package rewrite

import (
	"regexp"
	"slices"
	"strings"

	"whittle/parse"
)

var macroWord = regexp.MustCompile(`(?:\s|\\\r?\n)*(?:\w+|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s\w])`)

// macro replaces all calls of a macro with parameters by its text and deletes the macro, unless it has a #.
//
//	#define M(a) a + 1
//	x = M(2);           =>  x = 2 + 1;
func (f *File) macro(name *Name) (ch Change, ok bool) {
	if len(name.Defs) != 1 || name.Defs[0].Node < 0 {
		return ch, false
	}
	d := name.Defs[0]
	parameters, value := f.Child(d.Owner, "parameters"), f.Child(d.Owner, "value")
	if parameters < 0 || value < 0 || !f.IsLeaf(value) || strings.Contains(f.Text(value), "#") {
		return ch, false
	}
	words := macroWord.FindAllString(strings.TrimSpace(f.Text(value)), -1)
	position := map[string]int{}
	for p := parameters; p < f.Nodes[parameters].Next; p++ {
		if f.isWord(p) {
			position[f.Text(p)] = len(position)
		}
	}
	ch.Drop = d.nodes()
	with := replacements{} // inner calls first, since uses are in order
	for _, use := range slices.Backward(f.outside(name.Uses, ch.Drop)) {
		c, found := f.call(use)
		arguments := c.lists[ofValues].items
		if !found || len(arguments) != len(position) {
			return ch, false
		}
		var pieces []parse.Piece
		for _, w := range words {
			text := strings.TrimLeft(w, " \t\r\n\\")
			gap := ""
			if len(text) < len(w) {
				gap = " "
			}
			if i, is := position[text]; is {
				pieces = append(pieces, f.replaced(with, arguments[i].node)...)
			} else {
				pieces = append(pieces, parse.Literal(gap, text))
			}
		}
		with[c.node] = pieces
	}
	ch.Edits = f.edits(with)
	return ch, len(ch.Edits) > 0 && len(words)*len(ch.Edits) <= maxCopied
}
