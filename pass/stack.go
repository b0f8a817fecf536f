package pass

import (
	"bytes"
	"slices"
	"sort"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// A TextEdit replaces the bytes from From to To by lines. The first line is where the old text was, and the others have
// its indentation.
type TextEdit struct {
	From, To int
	Lines    []string
}

// Raised is the end of a test by an exception: alternative edits, or traces without edits.
type Raised struct {
	Edits  [][]TextEdit
	Traces []Trace
}

// Alternatives returns alternative edits, the last ones for all functions.
func (r Raised) Alternatives(t *parse.Tree) [][]TextEdit {
	all := slices.Clip(r.Edits)
	for _, trace := range r.Traces {
		all = append(all, frameEdits(t, trace)...)
	}
	return all
}

// Stack applies edits that shorten the functions on the stack of the exception of the test: each becomes the statement
// that raised or called, after assignments of the values that it needs. record says how the test of a file ended. Of
// the last alternative, which is for all functions, a part may be applied.
func Stack(record func(file []byte) Raised) Pass {
	return Pass{Name: "stack", When: First, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		var alternatives [][]parse.Edit
		for _, edits := range record(t.Source).Alternatives(t) {
			own := make([]parse.Edit, len(edits))
			for i, e := range edits {
				own[i] = e.of(t)
			}
			alternatives = append(alternatives, own)
		}
		plan.Width = 1 // one list only
		s := &stack{whole: parse.Whole(t)}
		s.Driver = rounds.Driver[*parse.Candidate, []parse.Edit]{Plan: plan.Plan, Allows: gate.Allows, Next: s.next}
		return s.first(alternatives)
	}}
}

type stack struct {
	rounds.Driver[*parse.Candidate, []parse.Edit]
	whole *parse.Candidate
}

// first asks for the alternatives, and then searches the last one.
func (s *stack) first(alternatives [][]parse.Edit) *Step {
	if len(alternatives) == 0 {
		return s.Search(s.whole, nil)
	}
	edits, others := alternatives[0], alternatives[1:]
	failed := func() *Step {
		if len(others) == 0 {
			return s.Search(s.whole, edits)
		}
		return s.first(others)
	}
	c := s.whole.Apply(edits...)
	if len(edits) == 0 || !s.Allows(s.whole, c) {
		return failed()
	}
	return &Step{Candidate: c, Chance: mostly, Next: func(o algo.Outcome) *Step {
		if o == algo.Interesting {
			return s.Search(c, nil)
		}
		return failed()
	}}
}

type stackTask = rounds.Task[*parse.Candidate, []parse.Edit]

// next returns the search for the edits that can be applied.
func (s *stack) next(_ *parse.Candidate, edits []parse.Edit) (*stackTask, []parse.Edit) {
	if len(edits) == 0 {
		return nil, nil
	}
	list := algo.List{Kind: "stack"}
	for _, e := range edits {
		saved := max(s.whole.Weight()-s.whole.Apply(e).Weight(), 1)
		list.Weights = append(list.Weights, saved)
		list.Whole += saved // an edit saves more code elsewhere
	}
	return &stackTask{List: list, Edit: func(_ *parse.Candidate, kept []int) *parse.Candidate {
		var applied []parse.Edit
		for i, e := range edits {
			if !slices.Contains(kept, i) {
				applied = append(applied, e)
			}
		}
		return s.whole.Apply(applied...)
	}}, nil
}

// of returns the edit of the tokens of a file.
func (e TextEdit) of(t *parse.Tree) parse.Edit {
	at := func(byte int) int32 {
		return int32(sort.Search(len(t.Tokens), func(i int) bool { return int(t.Tokens[i].Start) >= byte }))
	}
	edit := parse.Edit{From: at(e.From), To: at(e.To)}
	gap := ""
	for _, line := range e.Lines {
		for text := []byte(line); len(text) > 0; {
			n := parse.SpaceLen(text)
			gap, text = gap+string(text[:n]), text[n:]
			if n = tokenLen(text); n > 0 {
				edit.With = append(edit.With, parse.Literal(gap, string(text[:n])))
			}
			gap, text = "", text[n:]
		}
		gap = "\n"
	}
	return edit
}

// tokenLen returns the length of the word, operators, string or character at the start of a line. A string may have a
// prefix.
func tokenLen(text []byte) int {
	if n := len(text) - len(bytes.TrimLeft(text, "=!<>+-*/%&|^~:?")); n > 0 {
		return n
	}
	prefix := parse.WordLen(text)
	if prefix < len(text) && (text[prefix] == '"' || text[prefix] == '\'') {
		for n := prefix + 1; n < len(text); n++ {
			switch text[n] {
			case '\\':
				n++
			case text[prefix]:
				return n + 1
			}
		}
	}
	if rest := text[prefix:]; prefix > 0 && len(rest) > 0 && bytes.IndexByte([]byte("!?"), rest[0]) >= 0 &&
		(len(rest) == 1 || rest[1] == '(') { // in a name of Ruby
		prefix++
	}
	return max(prefix, min(1, len(text)))
}
