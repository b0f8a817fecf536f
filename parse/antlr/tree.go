package antlr

import (
	"whittle/parse"
	"whittle/parse/antlr/g4"
)

// tree makes hidden tokens leaves that may be dropped.
func (l *Language) tree(source []byte, file *lexed, t *groups) *parse.Tree {
	f := &flattening{
		Tree:    &parse.Tree{Source: source, Errors: len(file.errors), Names: l.names},
		grammar: l.grammar, file: file, groups: t,
	}
	n := len(file.tokens) + len(file.hidden)
	f.Tokens = make([]parse.Token, 0, n)
	f.modes = make([]uint16, 0, n)
	f.Nodes = make([]parse.Node, 0, len(t.all)-len(t.free)+len(file.hidden))
	f.places = make([]place, 0, cap(f.Nodes))
	f.walk(t.stack[0])
	f.Links = t.chains.Links
	places := f.places
	// A list is a node of its own, so a run of several siblings never fits.
	f.Fits = func(n int32, run []int32) bool {
		return len(run) == 1 && l.fits(places[n].expected, places[run[0]].is, places[n].list)
	}
	f.Least = func(n int32) []byte {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.symbols.least(places[n].expected)
	}
	modes := f.modes
	f.Fuse = func(i int, a, b []byte) bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.scanner.glued(int(modes[i]), a, b)
	}
	return f.Tree
}

// fits reports whether a y, also as a list of the same kind, can replace an x, which is perhaps a member of list.
func (l *Language) fits(x, y, list symbol) bool {
	if x == none || y == none {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.symbols.derives(x, y) {
		return true
	}
	sh := &l.symbols.all[y]
	return list != none && sh.kind == listShape && l.symbols.all[list].sep == sh.sep && l.symbols.derives(x, sh.body)
}

type place struct{ expected, is, list symbol }

type flattening struct {
	*parse.Tree
	grammar *g4.Grammar
	file    *lexed
	groups  *groups
	places  []place
	modes   []uint16
	hidden  int // hidden tokens of the file that are in the tree
}

func (f *flattening) walk(root int32) {
	type opened struct{ node, next int32 }
	f.node(root, -1)
	stack := []opened{{0, f.groups.all[root].first}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		parent, i := top.node, top.next
		if i < 0 {
			if len(stack) == 1 {
				f.before(int32(len(f.Source)), parent)
			}
			f.close(parent)
			stack = stack[:len(stack)-1]
			continue
		}
		g := &f.groups.all[i]
		top.next = g.next
		if first := f.firstToken(i); first >= 0 {
			f.before(f.file.tokens[first].start, parent)
		}
		if g.token >= 0 {
			f.leaf(i, parent)
			continue
		}
		stack = append(stack, opened{f.node(i, parent), g.first})
	}
}

func (f *flattening) firstToken(i int32) int32 {
	if f.hidden == len(f.file.hidden) {
		return -1
	}
	for i >= 0 && f.groups.all[i].token < 0 {
		i = f.groups.all[i].first
	}
	if i < 0 {
		return -1
	}
	return f.groups.all[i].token
}

func (f *flattening) before(offset, parent int32) {
	for f.hidden < len(f.file.hidden) && f.file.hidden[f.hidden].start < offset {
		t := f.file.hidden[f.hidden]
		f.hidden++
		n := parse.Node{Parent: parent, Slot: parse.Star, Comment: t.kind == 0, Fixed: true}
		f.token(t, n, place{none, none, none})
	}
}

func (f *flattening) leaf(i, parent int32) {
	g := &f.groups.all[i]
	t := f.file.tokens[g.token]
	if t.start == t.end {
		return
	}
	named := t.kind > 0 && f.grammar.Tokens[t.kind-1].Literal == ""
	f.token(t, parse.Node{
		Parent: parent, Chain: f.groups.chain(i), Slot: g.slot, Named: named, Fixed: !named && g.top == g.inner,
	}, place{g.top, g.inner, g.list})
}

func (f *flattening) token(t token, n parse.Node, p place) {
	n.First, n.Last = int32(len(f.Tokens)), int32(len(f.Tokens)+1)
	n.Next = int32(len(f.Nodes) + 1)
	f.Nodes, f.places = append(f.Nodes, n), append(f.places, p)
	f.Tokens = append(f.Tokens, parse.Token{Start: t.start, End: t.end})
	f.modes = append(f.modes, t.mode)
}

func (f *flattening) node(i, parent int32) int32 {
	g := &f.groups.all[i]
	first := int32(len(f.Tokens))
	f.Nodes = append(f.Nodes, parse.Node{
		First: first, Last: first, Parent: parent, Chain: f.groups.chain(i), Slot: g.slot,
	})
	f.places = append(f.places, place{g.top, g.inner, g.list})
	return int32(len(f.Nodes) - 1)
}

func (f *flattening) close(n int32) {
	node := &f.Nodes[n]
	node.Next, node.Last = int32(len(f.Nodes)), int32(len(f.Tokens))
	if node.First == node.Last && n > 0 {
		f.Nodes, f.places = f.Nodes[:n], f.places[:n]
	}
}
