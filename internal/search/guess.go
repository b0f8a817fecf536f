package search

import (
	"container/heap"

	"whittle/algo"
)

// guess is a node or a successor, which may not exist yet.
type guess[C any] struct {
	node   *node[C]
	kind   kind
	of     int
	chance float64
	depth  int32
	number int
}

type kind uint8

const (
	itself kind = iota
	aChild      // of a question
	aPart       // of a fork
	behind      // a fork
)

// reach returns the node, or the known node that follows.
func (g *guess[C]) reach(w *window[C]) *node[C] {
	n := g.node
	switch g.kind {
	case aChild:
		n = n.child(algo.Outcome(g.of))
	case aPart:
		n = n.part(g.of)
	}
	return w.tip(n)
}

// guesses is a heap of the most likely first, then by depth, then by age.
type guesses[C any] struct {
	list   []guess[C]
	pushed int
}

func (g *guesses[C]) push(x guess[C]) {
	if x.chance < unlikely {
		return
	}
	x.depth, x.number = x.node.depth, g.pushed
	if x.kind == aPart {
		x.depth = x.node.parts[x.of].reached()
	}
	g.pushed++
	heap.Push(g, x)
}

func (g *guesses[C]) Len() int { return len(g.list) }
func (g *guesses[C]) Less(i, j int) bool {
	a, b := &g.list[i], &g.list[j]
	switch {
	case a.chance != b.chance:
		return a.chance > b.chance
	case a.depth != b.depth:
		return a.depth < b.depth
	}
	return a.number < b.number
}
func (g *guesses[C]) Swap(i, j int) { g.list[i], g.list[j] = g.list[j], g.list[i] }
func (g *guesses[C]) Push(x any)    { g.list = append(g.list, x.(guess[C])) }
func (g *guesses[C]) Pop() any {
	last := len(g.list) - 1
	x := g.list[last]
	g.list = g.list[:last]
	return x
}
