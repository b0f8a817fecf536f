package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"whittle/parse"
)

// unfold replaces a name by the tokens of its definition, which it deletes: in files without a grammar, and functions
// of shells, which have no parameters. One change uses one of several definitions.
//
//	function f(a) { print a }  BEGIN { f(1) }        BEGIN { print 1 }
//	a(X) :- b, c(X).  main :- d, a(1).               main :- d, b, c(1).
//	n = a / b; print n                               print a / b
//	n = a; n = n + b; print n                        n = a + b; print n
func unfold(f *File) (changes []Change) {
	for _, name := range f.Names() {
		outlined := f.isOutlined(name.Uses[0])
		if c := name.Text[0]; len(name.Uses) < 2 || len(name.Uses) > mostUses || '0' <= c && c <= '9' ||
			!outlined && (len(name.Defs) == 0 || name.Defs[0].Body < 0) {
			continue
		}
		meanings := f.meanings(name, outlined)
		for i, m := range meanings[:min(len(meanings), mostMeanings)] {
			if ch, ok := f.unfolded(name.Uses, meanings, m); ok {
				changes = append(changes, ch)
			}
			if i+1 < len(meanings) {
				if ch, ok := f.unfoldedUntil(name.Uses, m, meanings[i+1]); ok {
					changes = append(changes, ch)
				}
			}
		}
	}
	return changes
}

// outlined reports whether most of a tree comes from no grammar, but from brackets and lines.
func (f *File) outlined() bool {
	leaves, outlined := 0, 0
	for n := range int32(len(f.Nodes)) {
		if f.IsLeaf(n) {
			leaves++
		}
		if f.isOutlined(n) {
			outlined++
		}
	}
	return 2*outlined > leaves
}

func (f *File) isOutlined(leaf int32) bool { return f.Is(leaf, "token") }

const (
	mostUses     = 100
	mostMeanings = 3 // of a name that are tried
)

// A meaning is a definition, with the tokens for its name and its parameters.
type meaning struct {
	leaf, node int32
	scope      int32 // the node with the uses
	from, to   int32
	list       int32 // parameters, or 0
	value      bool  // of a variable
}

func (f *File) meanings(name *Name, outlined bool) (all []meaning) {
	if !outlined {
		for _, d := range name.Defs {
			if d.Body < 0 || d.Node < 0 || f.Text(d.Body) != "{" || len(f.behind(d.Leaf, "parameter")) > 0 ||
				!strings.HasPrefix(f.Kind(d.Owner), "function") {
				return nil
			}
			m := meaning{node: d.Node, from: f.Nodes[d.Body].First + 1, to: f.Nodes[d.Body].Last - 1}
			if f.tokenText(m.to-1) == ";" {
				m.to--
			}
			all = append(all, m)
		}
		return all
	}
	for _, use := range name.Uses {
		if m, ok := f.meaning(use); ok {
			all = append(all, m)
		}
	}
	return all
}

// meaning finds a definition in a line of a file without a grammar: perhaps words, a name, perhaps parameters in
// parentheses, and braces, or a sign and the rest, or lines below.
func (f *File) meaning(use int32) (m meaning, ok bool) {
	n := use
	for n > 0 && !f.Is(n, "block") && !f.Is(n, "statement") {
		n = f.Nodes[n].Parent
	}
	for t := f.Nodes[n].First; t < f.Nodes[use].First; t++ {
		if !f.isWord(f.leafAt(t)) {
			return m, false
		}
	}
	m.leaf, m.node = use, n
	t, end := f.Nodes[use].Last, f.Nodes[n].Last
	if f.tokenText(t) == "(" {
		m.list = f.Nodes[f.leafAt(t)].Parent
		t = f.Nodes[m.list].Last
	}
	for end > t && (f.tokenText(end-1) == "." || f.tokenText(end-1) == ";") {
		end--
	}
	if t == end && end < f.Nodes[n].Last && f.Text(f.Nodes[n].Next-1) == "." {
		return m, true // a fact of Prolog
	}
	if p := f.Nodes[n].Parent; end == f.Nodes[n].Last && f.Is(p, "paragraph") && f.tokenText(f.Nodes[p].Last-1) == "." {
		m.node = p // with other clauses
	}
	sign := f.tokenText(t)
	if f.tokenText(t+1) == "function" && f.tokenText(t+2) == "(" { // of R
		m.list = f.Nodes[f.leafAt(t+2)].Parent
	}
	m.from, m.to, m.value = t+1, end, sign == "=" || sign == ":=" || sign == "<-"
	if g := f.Nodes[f.leafAt(end-1)].Parent; f.tokenText(end-1) == "}" && f.Nodes[g].First >= t {
		m.from, m.to, m.value = f.Nodes[g].First+1, end-1, false
		return m, f.tokenText(f.Nodes[g].First) == "{"
	}
	for top := f.Nodes[n].Parent; top > 0 && m.value; top = f.Nodes[top].Parent {
		if f.Is(top, "block") {
			m.scope = top // a variable of a function
		}
	}
	if m.value || sign == ":-" || sign == "->" {
		return m, true
	}
	for d := n + 1; d < f.Nodes[n].Next; d = f.Nodes[d].Next {
		if f.Is(d, "body") && f.Nodes[d].First >= t {
			m.from, m.to = f.Nodes[d].First, f.Nodes[d].Last
			return m, true
		}
	}
	return m, false
}

func (f *File) unfolded(uses []int32, meanings []meaning, m meaning) (ch Change, ok bool) {
	for _, other := range meanings {
		if !slices.Contains(ch.Drop, other.node) && f.within(other.node, m.scope) {
			ch.Drop = append(ch.Drop, other.node)
		}
	}
	for _, use := range uses {
		first := f.Nodes[use].First
		switch {
		case m.list > 0 && f.tokenText(first+1) != "(":
			continue // another meaning, as an atom of Prolog
		case m.from <= first && first < m.to:
			return ch, false // recursive
		}
		if f.within(use, m.scope) && !f.inAny(use, ch.Drop) {
			ch.Edits = append(ch.Edits, f.unfoldedAt(use, m))
		}
	}
	ok = len(ch.Edits) > 0 && m.from < m.to && int(m.to-m.from)*len(ch.Edits) <= maxCopied
	ch.Edits = outermost(ch.Edits)
	return ch, ok
}

// unfoldedUntil keeps the next value of the same variable.
func (f *File) unfoldedUntil(uses []int32, m, next meaning) (ch Change, ok bool) {
	for _, use := range uses {
		if use >= f.Nodes[m.node].Next && use < f.Nodes[next.node].Next && use != next.leaf {
			ch.Edits = append(ch.Edits, f.unfoldedAt(use, m))
		}
	}
	ch.Drop = []int32{m.node}
	return ch, len(ch.Edits) > 0 && m.value && next.value && f.within(next.node, m.scope)
}

func (f *File) unfoldedAt(use int32, m meaning) parse.Edit {
	e := parse.Edit{From: f.Nodes[use].First, To: f.Nodes[use].Last}
	with := replacements{}
	if p := f.parent(use); p > 0 && f.Is(p, "command") && f.Nodes[p].First == e.From {
		i := 0
		for argument := range f.InField(p, "argument") {
			i, e.To = i+1, f.Nodes[argument].Last // before redirections
			for n := m.node; n < f.Nodes[m.node].Next; n++ {
				if s := f.source(n); s == fmt.Sprint("$", i) || s == fmt.Sprintf("\"$%d\"", i) {
					with[n] = f.copied(n, argument)
				}
			}
		}
	}
	if f.tokenText(e.To) == "(" && !m.value {
		list := f.Nodes[f.leafAt(e.To)].Parent
		e.To = f.Nodes[list].Last
		arguments := f.arguments(list)
		for i, parameter := range f.arguments(m.list) {
			if i < len(arguments) && f.isWord(parameter) {
				for _, n := range f.usesOf(f.Nodes[m.node].Parent, f.Text(parameter)) {
					with[n] = f.copied(n, arguments[i])
				}
			}
		}
	}
	from := m.from
	if f.tokenText(from) == "return" {
		from++
	}
	for _, run := range f.cover(from, m.to) {
		e.With = append(e.With, f.replaced(with, run...)...)
	}
	if inner := f.Is(use, "chunk") || f.Is(use, "operand") || f.Is(use, "part"); m.value && inner && m.to > m.from+1 {
		e.With = slices.Concat([]parse.Piece{parse.Literal("", "(")}, e.With, []parse.Piece{parse.Literal("", ")")})
	}
	return e
}

// copied returns the tokens of a node in another place, with its space before them, which has a meaning in shells.
func (f *File) copied(place, n int32) (pieces []parse.Piece) {
	for t := f.Nodes[n].First; t < f.Nodes[n].Last; t++ {
		at := t
		if len(pieces) == 0 {
			at = f.Nodes[place].First
		}
		gap := f.Source[f.Tokens[max(at-1, 0)].End:f.Tokens[at].Start]
		pieces = append(pieces, parse.Literal(string(gap), f.tokenText(t)))
	}
	return pieces
}

// arguments returns what is between the commas of brackets of a file without a grammar.
func (f *File) arguments(list int32) (members []int32) {
	if list == 0 || !f.Is(list+2, "content") {
		return nil
	}
	for n := list + 3; n < f.Nodes[list+2].Next; n = f.Nodes[n].Next {
		if f.Is(n, "member") {
			members = append(members, n)
		}
	}
	if members == nil {
		return []int32{list + 2}
	}
	return members
}

// cover returns runs of siblings with the tokens of a range.
func (f *File) cover(from, to int32) (runs [][]int32) {
	for t := from; t < to; {
		n := f.leafAt(t)
		for p := f.Nodes[n].Parent; p > 0 && f.Nodes[p].First >= from && f.Nodes[p].Last <= to; p = f.Nodes[p].Parent {
			n = p
		}
		if last := len(runs) - 1; last >= 0 && f.Nodes[runs[last][0]].Parent == f.Nodes[n].Parent {
			runs[last] = append(runs[last], n)
		} else {
			runs = append(runs, []int32{n})
		}
		t = f.Nodes[n].Last
	}
	return runs
}
