package treesitter

// #include "runtime.h"
import "C"

import (
	"bytes"
	"strings"

	"whittle/parse"
)

// A builder converts the result of the walk in C to a [parse.Tree]. Tokens that the grammar hides become leaves.
type builder struct {
	tree   *parse.Tree
	masked []byte // the source that the parser saw
	marks  []mark // per node
	names  *names
	read   reading
	chains *parse.Chains
	tables *tables
	leaves []leaf // per token
	end    int    // of the last token
	begun  int    // start of the next token if the parser missed its first word, or -1

	missing map[int32]bool // tokens before which the parser inserted an empty one, as a semicolon
}

// A mark has the symbols at the top and the bottom of a node's chain, and the state before the node.
type mark struct{ kind, inner, state uint16 }

// A leaf is the parser's view of a token.
type leaf struct {
	state, symbol          uint16
	named, comment, masked bool
}

// unknown is the state and the symbol of text that the walk did not see.
const unknown = 0xffff

func build(l *Language, source, masked []byte, read reading) *parse.Tree {
	names := l.names()
	leaves := 0
	for i := range read.nodes {
		if int(read.nodes[i].next) == i+1 {
			leaves++
		}
	}
	b := &builder{
		tree: &parse.Tree{
			Source: source,
			Tokens: make([]parse.Token, 0, leaves),
			Nodes:  make([]parse.Node, 0, len(read.nodes)),
			Names:  names.all,
		},
		masked: masked,
		marks:  make([]mark, 0, len(read.nodes)),
		names:  names,
		read:   read,
		chains: parse.NewChains(),
		tables: &tables{l, map[uint16][]uint64{}, map[uint16]bool{}},
		leaves: make([]leaf, 0, leaves),

		missing: map[int32]bool{},
		begun:   -1,
	}
	b.copy()
	b.read = reading{} // frees memory before regroup takes more
	b.regroup(read.errors > 0)
	b.tree.Links = b.chains.Links
	b.slots()
	b.chains = nil
	b.tree.Fits = b.fits
	return b.tree
}

func (b *builder) copy() {
	type opened struct{ node, until, end int32 }
	open := []opened{{node: -1}}
	close := func() {
		top := open[len(open)-1]
		open = open[:len(open)-1]
		b.close(top.node, int(top.end))
	}
	parts := 0 // the nodes before this one are parts of a comment
	for i := range b.read.nodes {
		w := &b.read.nodes[i]
		chain := b.chain(w)
		if i < parts {
			continue
		}
		for len(open) > 2 && int(open[len(open)-1].until) <= i {
			close()
		}
		parent := open[len(open)-1].node
		if i > 0 {
			b.hidden(int(w.start), parent)
		}
		if b.isComment(w) { // one token
			parts = int(w.next)
			w.end = w.start + C.uint32_t(len(bytes.TrimRight(b.tree.Source[w.start:w.end], "\r\n")))
		}
		if int(w.next) == i+1 && i > 0 || i < parts {
			b.leaf(w, parent, chain)
			continue
		}
		b.add(b.node(w, parent, chain), mark{uint16(w.kind), uint16(w.inner), uint16(w.state)})
		open = append(open, opened{int32(len(b.tree.Nodes) - 1), int32(w.next), int32(w.end)})
		if i == 0 {
			open[1].end = int32(len(b.tree.Source))
			if int(w.next) == 1 { // a root without children
				b.hidden(int(w.start), 0)
				b.leaf(w, 0, chain)
			}
		}
	}
	for len(open) > 1 {
		close()
	}
}

func (b *builder) isComment(w *C.whittle_node) bool {
	return bool(w.extra) && !bool(w.error) && strings.Contains(b.names.all[1+w.kind], "comment")
}

func (b *builder) close(n int32, end int) {
	b.hidden(end, n)
	node := &b.tree.Nodes[n]
	node.Next, node.Last = int32(len(b.tree.Nodes)), int32(len(b.tree.Tokens))
	if b.marks[n].state == unknown && node.Next > n+1 {
		b.marks[n].state = b.marks[n+1].state
	}
	if node.First == node.Last && n > 0 { // empty
		b.tree.Nodes, b.marks = b.tree.Nodes[:n], b.marks[:n]
	}
}

func (b *builder) add(n parse.Node, m mark) {
	b.tree.Nodes = append(b.tree.Nodes, n)
	b.marks = append(b.marks, m)
}

func (b *builder) node(w *C.whittle_node, parent, chain int32) parse.Node {
	first := int32(len(b.tree.Tokens))
	n := parse.Node{
		First: first, Last: first, Next: int32(len(b.tree.Nodes) + 1), Parent: parent, Chain: chain,
		Comment: bool(w.extra) && !bool(w.error),
	}
	if w.error || w.extra {
		n.Slot = parse.Star
	}
	return n
}

func (b *builder) leaf(w *C.whittle_node, parent, chain int32) {
	start, end := int(w.start), int(w.end)
	if start >= end {
		b.missing[int32(len(b.tree.Tokens))] = true
		return
	}
	if start < b.end {
		return // already in a token
	}
	if b.begun >= 0 {
		start, b.begun = b.begun, -1
	}
	n, m := b.node(w, parent, chain), mark{uint16(w.kind), uint16(w.inner), uint16(w.state)}
	if n.Comment && b.wasMasked(start, end) {
		b.addMasked(n, m, start, end)
		return
	}
	if isSigned(b.tree.Source[start:end]) && bool(w.named) {
		n.Last, n.Next = n.First+2, n.Next+2
		number := int32(len(b.tree.Nodes))
		b.add(n, m)
		before := n
		before.Last, before.Next, before.Parent, before.Fixed = n.First+1, number+2, number, true
		name := int32(minusName)
		if b.tree.Source[start] == '+' {
			name = plusName
		}
		before.Chain = b.chains.Add(parse.Link{Kind: b.names.extra(name)})
		b.add(before, mark{sign, sign, m.state})
		b.token(w, start, start+1)
		n.First, n.Parent = n.First+1, number
		for b.chains.Links[chain].Below != 0 {
			chain = b.chains.Links[chain].Below
		}
		n.Chain = b.chains.Add(parse.Link{Kind: b.chains.Links[chain].Kind})
		start++
	} else {
		n.Last++
	}
	n.Named = bool(w.named)
	n.Fixed = !n.Named && m.kind == m.inner
	b.add(n, m)
	b.token(w, start, end)
}

func (b *builder) token(w *C.whittle_node, start, end int) {
	b.tree.Tokens = append(b.tree.Tokens, parse.Token{Start: int32(start), End: int32(end)})
	b.leaves = append(b.leaves, leaf{state: uint16(w.state), symbol: uint16(w.inner), named: bool(w.named)})
	b.end = end
}

// isSigned reports whether a token is a number with a sign, which becomes a token of its own.
func isSigned(text []byte) bool {
	return len(text) > 1 && (text[0] == '-' || text[0] == '+') && (text[1] >= '0' && text[1] <= '9' || text[1] == '.')
}

// sign is the kind of a number's sign.
const sign = 0xfffc

// hidden adds a leaf for the text up to start that is not in a token.
func (b *builder) hidden(start int, parent int32) {
	from, to := trim(b.tree.Source, b.end, start)
	if from >= to {
		return
	}
	if b.wasMasked(from, to) && len(bytes.TrimSpace(b.masked[from:to])) == 0 {
		b.begun = from
		return
	}
	w := C.whittle_node{
		start: C.uint32_t(from), end: C.uint32_t(to), kind: unknown, inner: unknown, state: unknown, named: true,
	}
	b.leaf(&w, parent, 0)
}

// trim shrinks source[from:to] by white space, escaped line breaks and a byte order mark.
func trim(source []byte, from, to int) (int, int) {
	if from == 0 && to >= 3 && string(source[:3]) == "\ufeff" {
		from = 3
	}
	for from < to {
		n := parse.SpaceLen(source[from:to])
		if n == 0 {
			break
		}
		from += n
	}
	for to > from && parse.SpaceLen(source[to-1:to]) == 1 {
		to--
	}
	return from, to
}
