package treesitter

// #include "runtime.h"
import "C"

import "whittle/parse"

// tables answers from a language's compiled parse table which symbols, of tokens
// and nodes alike, may come in a state, and which state follows.
type tables struct {
	language *Language
	words    int
	rows     map[uint16][]uint64
}

func newTables(l *Language) *tables {
	return &tables{l, (int(C.ts_language_symbol_count(l.c)) + 63) / 64, map[uint16][]uint64{}}
}

// accepts tells whether symbol may come in state. Of what is unknown it says yes.
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

// after gives the state behind symbol.
func (t *tables) after(state, symbol uint16) uint16 {
	if state == unknown || symbol == unknown {
		return unknown
	}
	return uint16(C.ts_language_next_state(t.language.c, C.uint16_t(state), C.uint16_t(symbol)))
}

// slots finds the slot of every node. What stands in [c.First, c.Last) may be
// left out if the token behind it may come in the state in which it began. That
// looks one token ahead only: it is a prediction, and the checker has the last
// word about each candidate.
func (b *builder) slots() {
	t := b.tree
	var children []int32
	for n := range t.Nodes {
		children = children[:0]
		for c := int32(n) + 1; c < t.Nodes[n].Next; c = t.Nodes[c].Next {
			children = append(children, c)
		}
		if len(children) == 0 {
			continue
		}
		if b.isError(int32(n)) {
			for _, c := range children {
				t.Nodes[c].Slot = parse.Star
			}
			if t.Nodes[n].Kind == bracketed { // its brackets stay
				t.Nodes[children[0]].Slot, t.Nodes[children[len(children)-1]].Slot = parse.Required, parse.Required
			}
			continue
		}
		b.slotsOf(children)
	}
}

func (b *builder) isError(n int32) bool {
	kind := b.tree.Nodes[n].Kind
	return kind == unknown || kind == bracketed
}

func (b *builder) slotsOf(children []int32) {
	nodes := b.tree.Nodes
	for _, c := range children {
		if nodes[c].Slot == parse.Required && b.skips(nodes[c].First, nodes[c].Last) && !b.isBracket(c) {
			nodes[c].Slot = parse.Optional
		}
		if nodes[c].Kind == bracketed {
			nodes[c].Slot = parse.Star
		}
	}
	// x , x: what cannot go alone, but together with the token next to it.
	// The tokens between the members of one list are alike: not x ? x : x.
	for i := 1; i+1 < len(children); i++ {
		before, sep, after := children[i-1], children[i], children[i+1]
		switch {
		case nodes[sep].Next != sep+1 || nodes[sep].Slot != parse.Required:
		case nodes[before].Slot == parse.Optional && nodes[after].Slot == parse.Optional:
		case i >= 3 && b.unlike(children[i-2], sep) || i+3 < len(children) && b.unlike(children[i+2], sep):
		case b.skips(nodes[before].First, nodes[sep].Last) && b.skips(nodes[sep].First, nodes[after].Last):
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

// isBracket tells whether c is a bracket, which does not go without its partner.
func (b *builder) isBracket(c int32) bool {
	return b.tree.IsLeaf(c) && b.bracket(b.tree.Nodes[c].First) != 0
}

// unlike tells whether c is a token that is not like sep.
func (b *builder) unlike(c, sep int32) bool {
	return b.tree.IsLeaf(c) && b.tree.Nodes[c].Slot == parse.Required && b.tree.Nodes[c].Kind != b.tree.Nodes[sep].Kind
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
			} else if nodes[c].Slot.Droppable() && nodes[c].Kind == nodes[children[end-1]].Kind {
				end++
			} else {
				break
			}
		}
		if end > i+1 {
			slot := parse.Plus
			if b.skips(nodes[children[i]].First, nodes[children[end-1]].Last) {
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

// skips tells whether the token at last may come where the one at first did.
func (b *builder) skips(first, last int32) bool {
	return b.tables.accepts(b.leaves[first].state, b.symbolAt(last))
}

// symbolAt gives the symbol of a token, 0 at the end of the file.
func (b *builder) symbolAt(token int32) uint16 {
	if int(token) >= len(b.leaves) {
		return 0
	}
	return b.leaves[token].symbol
}

// fits tells whether d may stand where n does: the table knows its kind in the
// state where n begins, and in the state after it the token that follows n.
func (b *builder) fits(n, d int32) bool {
	node, stand := &b.tree.Nodes[n], &b.tree.Nodes[d]
	if b.tree.IsLeaf(d) && stand.Kind == stand.Inner && !stand.Named {
		return false
	}
	for _, kind := range []uint16{stand.Kind, stand.Inner} {
		if kind == bracketed || b.tables.accepts(node.State, kind) && b.tables.accepts(b.tables.after(node.State, kind), b.symbolAt(node.Last)) {
			return true
		}
	}
	return false
}
