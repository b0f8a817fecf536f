package grammars

import (
	"cmp"
	"strconv"

	"whittle/parse"
)

// dimacs keeps the header of a formula true: it has the highest variable and the number of clauses.
type dimacs struct{ parse.Language }

func (l Language) asDIMACS() Language {
	l.Language = dimacs{l.Language}
	return l
}

func (d dimacs) Parse(source []byte) (*parse.Tree, error) {
	t, err := d.Language.Parse(source)
	if err != nil {
		return nil, err
	}
	of := map[string][]int32{}
	for n := range int32(len(t.Nodes)) {
		for _, kind := range []string{"number", "clause", "variable"} {
			if t.Is(n, kind) {
				of[kind] = append(of[kind], n)
			}
		}
	}
	if len(of["number"]) != 2 {
		return t, nil // no header, or a syntax error
	}
	t.Derive = func(c *parse.Candidate, first int32) (edits []parse.Edit) {
		var highest string
		for _, n := range of["variable"] {
			text := string(c.TextOf(n + first))
			if c.Live(n+first) && cmp.Or(len(text)-len(highest), cmp.Compare(text, highest)) > 0 {
				highest = text
			}
		}
		clauses := 0
		for _, n := range of["clause"] {
			if c.Live(n + first) {
				clauses++
			}
		}
		for i, text := range []string{cmp.Or(highest, "0"), strconv.Itoa(clauses)} {
			if n := of["number"][i] + first; c.Live(n) {
				edits = append(edits, c.Tree().Replace([]int32{n}, parse.Literal("", text)))
			}
		}
		return edits
	}
	return t, nil
}
