package treesitter

// #include "runtime.h"
import "C"

import (
	"bytes"
	"slices"

	"whittle/parse"
)

// tables queries the compiled parse table of a language. Its symbols are tokens and nodes.
type tables struct {
	language *Language
	rows     map[uint16][]uint64
	hidden   map[uint16]bool
}

// accepts reports whether a state accepts a symbol. It is true if either is unknown.
func (t *tables) accepts(state, symbol uint16) bool {
	if state == unknown || symbol == unknown {
		return true
	}
	row, ok := t.rows[state]
	if !ok {
		row = make([]uint64, (int(C.ts_language_symbol_count(t.language.compiled().c))+63)/64)
		C.whittle_accepts(t.language.compiled().c, C.uint16_t(state), (*C.uint64_t)(&row[0]))
		t.rows[state] = row
	}
	return int(symbol/64) < len(row) && row[symbol/64]>>(symbol%64)&1 != 0
}

// hides reports whether a token without text may follow, which is not in the tree, as for a significant line end.
func (t *tables) hides(state uint16) bool {
	if state == unknown {
		return true
	}
	hides, ok := t.hidden[state]
	if !ok {
		hides = bool(C.whittle_hides(t.language.compiled().c, C.uint16_t(state)))
		t.hidden[state] = hides
	}
	return hides
}

// after returns the state after symbol. It is unknown if the parser would first reduce.
func (t *tables) after(state, symbol uint16) uint16 {
	if state == unknown || symbol == unknown {
		return unknown
	}
	c := t.language.compiled().c
	if next := uint16(C.ts_language_next_state(c, C.uint16_t(state), C.uint16_t(symbol))); next != 0 {
		return next
	}
	return unknown
}

// slots sets the slot of every node. A node may be left out if the state before it accepts the next token. This is a
// prediction; the syntax check of each candidate decides.
func (b *builder) slots() {
	t := b.tree
	for _, n := range t.Nodes {
		for i := n.First; n.Comment && i < n.Last; i++ {
			b.leaves[i].comment = true
		}
	}
	var children []int32
	for n := range t.Nodes {
		children = children[:0]
		for c := int32(n) + 1; c < t.Nodes[n].Next; c = t.Nodes[c].Next {
			if !t.Nodes[c].Comment {
				children = append(children, c)
			}
		}
		if len(children) == 0 {
			continue
		}
		switch kind := b.marks[n].kind; {
		case b.isMasked(int32(n)): // deleted only as a whole
		case kind == unknown || kind == bracketed:
			for _, c := range children {
				t.Nodes[c].Slot = parse.Star
			}
			if kind == bracketed { // the brackets stay
				t.Nodes[children[0]].Slot, t.Nodes[children[len(children)-1]].Slot = parse.Required, parse.Required
			}
		default:
			b.slotsOf(children)
		}
	}
}

func (b *builder) slotsOf(children []int32) {
	nodes := b.tree.Nodes
	isComma := func(c int32) bool { return b.tree.IsLeaf(c) && nodes[c].First < nodes[c].Last && b.separates(c) }
	if slices.ContainsFunc(children, b.tree.IsLead) && slices.ContainsFunc(children, isComma) {
		children = b.withoutLeads(children)
	}
	alone := make([]bool, len(children)) // per child: certainly not in a list
	for i, c := range children {
		if nodes[c].Slot == parse.Required && b.spares(c, c) && !b.isBracket(c) {
			nodes[c].Slot = parse.Optional
		}
		if b.marks[c].kind == bracketed {
			nodes[c].Slot = parse.Star
		}
		alone[i] = nodes[c].Slot == parse.Optional && b.leaves[nodes[c].First].state != unknown
	}
	// Without the node before it, a line break is white space.
	for i := range len(children) - 1 {
		if c := children[i]; nodes[c].Slot == parse.Required && b.isBlank(children[i+1]) && b.spares(c, children[i+1]) {
			nodes[c].Slot = parse.Optional
		}
	}
	// x , x: tokens that cannot be deleted alone, but with a neighbour. Separators of a list have the same kind,
	// unlike in x ? x : x.
	for i := 1; i+1 < len(children); i++ {
		before, sep, after := children[i-1], children[i], children[i+1]
		switch {
		case nodes[sep].Next != sep+1 || nodes[sep].Slot != parse.Required && !b.separates(sep) || nodes[sep].Named:
		case b.isBracket(before) || b.isBracket(sep) || b.isBracket(after):
		case b.isWord(sep) && b.tree.IsLeaf(after) && !nodes[after].Named && !b.isWord(after): // public :
		case alone[i-1] && alone[i+1] && !b.separates(sep):
		case !b.isBlank(sep) &&
			(i >= 3 && b.unlike(children[i-2], sep) || i+3 < len(children) && b.unlike(children[i+2], sep)):
		case b.spares(before, sep) && b.spares(sep, after):
			nodes[sep].Slot = parse.Separator
			for _, member := range []int32{before, after} {
				if nodes[member].Slot == parse.Required {
					nodes[member].Slot = parse.Optional
				}
			}
		}
	}
	b.lists(children)
}

// withoutLeads returns the members of a list without their attributes, which may be left out, too.
func (b *builder) withoutLeads(children []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(children), func(c int32) bool {
		isLead := b.tree.IsLead(c)
		if isLead && b.tree.Nodes[c].Slot == parse.Required && b.spares(c, c) {
			b.tree.Nodes[c].Slot = parse.Optional
		}
		return isLead
	})
}

func (b *builder) isBracket(c int32) bool {
	return b.tree.IsLeaf(c) && b.bracket(b.tree.Nodes[c].First) != 0
}

// isBlank reports whether a node is a line break that the grammar knows.
func (b *builder) isBlank(c int32) bool {
	token := b.tree.Tokens[b.tree.Nodes[c].First]
	return b.tree.IsLeaf(c) && len(bytes.TrimSpace(b.tree.Source[token.Start:token.End])) == 0
}

// separates reports whether a leaf separates siblings even if the text could be read without it: the comma in a, -b
// and the line break between two constants of Go.
func (b *builder) separates(c int32) bool {
	token := b.tree.Tokens[b.tree.Nodes[c].First]
	return b.isBlank(c) || string(b.tree.Source[token.Start:token.End]) == ","
}

func (b *builder) isWord(c int32) bool {
	token := b.tree.Tokens[b.tree.Nodes[c].First]
	return parse.WordLen(b.tree.Source[token.Start:token.End]) > 0
}

func (b *builder) unlike(c, sep int32) bool {
	return b.tree.IsLeaf(c) && b.tree.Nodes[c].Slot == parse.Required && b.marks[c].kind != b.marks[sep].kind
}

// lists makes lists of runs of optional children that have one kind or separators.
func (b *builder) lists(children []int32) {
	nodes := b.tree.Nodes
	for i := 0; i < len(children); {
		if !nodes[children[i]].Slot.Droppable() {
			i++
			continue
		}
		end := i + 1
		for end < len(children) {
			c := children[end]
			if nodes[c].Slot == parse.Separator && end+1 < len(children) {
				end += 2
			} else if nodes[c].Slot.Droppable() && b.marks[c].kind == b.marks[children[end-1]].kind {
				end++
			} else {
				break
			}
		}
		if end > i+1 {
			slot := parse.Plus
			if b.spares(children[i], children[end-1]) {
				slot = parse.Star
			}
			for _, c := range children[i:end] {
				if nodes[c].Slot == parse.Optional {
					nodes[c].Slot = slot
				}
			}
		}
		i = end
	}
}

func (b *builder) skips(first, last int32) bool {
	return b.tables.accepts(b.leaves[first].state, b.symbolAt(last))
}

// spares reports whether the siblings from first to last may be left out.
func (b *builder) spares(first, last int32) bool {
	behind := b.tree.Nodes[last].Last
	if b.skips(b.tree.Nodes[first].First, behind) {
		return true
	}
	after := b.tables.after(b.marks[last].state, b.marks[last].kind)
	return !b.tables.accepts(after, b.symbolAt(behind)) && b.tables.hides(b.marks[first].state)
}

// symbolAt skips comments. It returns 0 at the end of the file.
func (b *builder) symbolAt(token int32) uint16 {
	for int(token) < len(b.leaves) && b.leaves[token].comment {
		token++
	}
	if int(token) >= len(b.leaves) {
		return 0
	}
	return b.leaves[token].symbol
}

// fits reports whether a node, or a run of siblings, may replace n: each state accepts the next one, and the last state
// the token after n. A semicolon may replace any required node, since the table may decide too early whether a body
// follows or a declaration ends.
func (b *builder) fits(n int32, run []int32) bool {
	node := &b.tree.Nodes[n]
	if len(run) == 1 && !node.Slot.Droppable() && b.isSemicolon(run[0]) {
		return true
	}
	if len(run) == 1 && node.Slot.Droppable() && b.tree.IsFixed(run[0]) {
		return false
	}
	states := []uint16{b.marks[n].state}
	for i, d := range run {
		next := node.Last
		if i+1 < len(run) {
			next = b.tree.Nodes[run[i+1]].First
		}
		states = b.behind(states, d, b.symbolAt(next))
		if i+1 < len(run) && len(states) > 0 && !b.tree.IsFixed(run[i+1]) {
			states = []uint16{b.marks[n].state} // perhaps a list with a fixed token as separator
		}
	}
	return len(states) > 0
}

// behind returns the states after node d that accept symbol.
func (b *builder) behind(states []uint16, d int32, symbol uint16) (behind []uint16) {
	kinds := []uint16{b.marks[d].kind, b.marks[d].inner}
	for _, state := range states {
		for _, kind := range slices.Compact(kinds) {
			after := b.tables.after(state, kind)
			if kind == bracketed {
				after = unknown
			} else if !b.tables.accepts(state, kind) || !b.tables.accepts(after, symbol) && !b.tables.hides(after) {
				continue
			}
			behind = append(behind, after)
		}
	}
	return behind
}
