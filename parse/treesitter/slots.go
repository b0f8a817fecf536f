package treesitter

// #include "runtime.h"
import "C"

import (
	"slices"

	"whittle/parse"
)

// tables answers from a language's compiled parse table which symbols, of tokens
// and nodes alike, may come in a state, and which state follows.
type tables struct {
	language *Language
	words    int
	rows     map[uint16][]uint64
	hidden   map[uint16]bool
}

func newTables(l *Language) *tables {
	return &tables{l, (int(C.ts_language_symbol_count(l.c)) + 63) / 64, map[uint16][]uint64{}, map[uint16]bool{}}
}

// accepts reports whether symbol may come in state. What is unknown may always come.
func (t *tables) accepts(state, symbol uint16) bool {
	if state == unknown || symbol == unknown {
		return true
	}
	row, ok := t.rows[state]
	if !ok {
		row = make([]uint64, t.words)
		C.whittle_accepts(t.language.c, C.uint16_t(state), (*C.uint64_t)(&row[0]))
		t.rows[state] = row
	}
	return int(symbol/64) < len(row) && row[symbol/64]>>(symbol%64)&1 != 0
}

// ends reports whether what ends in state may have symbol behind it, or a token
// without text, as the end of a line that means something or of its indentation:
// such a token is made by the grammar's scanner and is nowhere in the tree.
func (t *tables) ends(state, symbol uint16) bool {
	return t.accepts(state, symbol) || t.hides(state)
}

// hides reports whether a token without text may come in state.
func (t *tables) hides(state uint16) bool {
	if state == unknown {
		return true
	}
	hides, ok := t.hidden[state]
	if !ok {
		hides = bool(C.whittle_hides(t.language.c, C.uint16_t(state)))
		t.hidden[state] = hides
	}
	return hides
}

// after returns the state behind symbol. It is unknown where the parser would first
// make a node of what stands before, as of the last operand before a comma.
func (t *tables) after(state, symbol uint16) uint16 {
	if state == unknown || symbol == unknown {
		return unknown
	}
	if next := uint16(C.ts_language_next_state(t.language.c, C.uint16_t(state), C.uint16_t(symbol))); next != 0 {
		return next
	}
	return unknown
}

// slots finds the slot of every node. What stands in [c.First, c.Last) may be
// left out if the token behind it may come in the state in which it began. That
// looks one token ahead only: it is a prediction, and the checker has the last
// word about each candidate. Comments, which may stand anywhere, are looked past.
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
		if b.isAside(int32(n)) {
			continue // it goes as a whole
		}
		if b.isError(int32(n)) {
			for _, c := range children {
				t.Nodes[c].Slot = parse.Star
			}
			if b.marks[n].kind == bracketed { // its brackets stay
				t.Nodes[children[0]].Slot, t.Nodes[children[len(children)-1]].Slot = parse.Required, parse.Required
			}
			continue
		}
		b.slotsOf(children)
	}
}

func (b *builder) isError(n int32) bool {
	kind := b.marks[n].kind
	return kind == unknown || kind == bracketed
}

func (b *builder) slotsOf(children []int32) {
	nodes := b.tree.Nodes
	alone := make([]bool, len(children)) // each is known to be none of a list
	for i, c := range children {
		if nodes[c].Slot == parse.Required && b.spares(c, c) && !b.isBracket(c) {
			nodes[c].Slot = parse.Optional
		}
		if b.marks[c].kind == bracketed {
			nodes[c].Slot = parse.Star
		}
		alone[i] = nodes[c].Slot == parse.Optional && b.leaves[nodes[c].First].state != unknown
	}
	// x , x: what cannot go alone, but together with the token next to it.
	// The tokens between the members of one list are alike: not x ? x : x.
	for i := 1; i+1 < len(children); i++ {
		before, sep, after := children[i-1], children[i], children[i+1]
		switch {
		case nodes[sep].Next != sep+1 || nodes[sep].Slot != parse.Required || nodes[sep].Named:
		case b.isBracket(before) || b.isBracket(sep) || b.isBracket(after):
		case alone[i-1] && alone[i+1]:
		case i >= 3 && b.unlike(children[i-2], sep) || i+3 < len(children) && b.unlike(children[i+2], sep):
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

// isBracket reports whether c is a bracket, which does not go without its partner.
func (b *builder) isBracket(c int32) bool {
	return b.tree.IsLeaf(c) && b.bracket(b.tree.Nodes[c].First) != 0
}

// unlike reports whether c is a token that is not like sep.
func (b *builder) unlike(c, sep int32) bool {
	return b.tree.IsLeaf(c) && b.tree.Nodes[c].Slot == parse.Required && b.marks[c].kind != b.marks[sep].kind
}

// lists turns runs of more than one optional child, of one kind or separated,
// into star and plus lists.
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

// skips reports whether the token at last may come where the one at first did.
func (b *builder) skips(first, last int32) bool {
	return b.tables.accepts(b.leaves[first].state, b.symbolAt(last))
}

// spares reports whether siblings from first to last may be left out: the token
// behind them may come where they begin, or the token without text that follows
// the last.
func (b *builder) spares(first, last int32) bool {
	behind := b.tree.Nodes[last].Last
	if b.skips(b.tree.Nodes[first].First, behind) {
		return true
	}
	after := b.tables.after(b.marks[last].state, b.marks[last].kind)
	return !b.tables.accepts(after, b.symbolAt(behind)) && b.tables.hides(b.marks[first].state)
}

// symbolAt returns the symbol of a token, or of the first behind it that is in no
// comment, 0 at the end of the file.
func (b *builder) symbolAt(token int32) uint16 {
	for int(token) < len(b.leaves) && b.leaves[token].comment {
		token++
	}
	if int(token) >= len(b.leaves) {
		return 0
	}
	return b.leaves[token].symbol
}

// fits reports whether a node, or a run of siblings, may stand where n does: the table
// knows the kind of the first in the state where n begins, behind each what begins
// the next, and behind the last the token that follows n. That is a prediction like
// that of the slots. A semicolon is always tried in a place where something must
// stand: whether a body follows or a declaration ends, a table may know too early.
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
			states = []uint16{b.marks[n].state} // it may be a list, and a fixed token its separator
		}
	}
	return len(states) > 0
}

// behind returns the states behind a node that comes in one of the states, where symbol
// may follow.
func (b *builder) behind(states []uint16, d int32, symbol uint16) (behind []uint16) {
	kinds := []uint16{b.marks[d].kind, b.marks[d].inner}
	for _, state := range states {
		for _, kind := range slices.Compact(kinds) {
			after := b.tables.after(state, kind)
			if kind == bracketed {
				after = unknown
			} else if !b.tables.accepts(state, kind) || !b.tables.ends(after, symbol) {
				continue
			}
			behind = append(behind, after)
		}
	}
	return behind
}
