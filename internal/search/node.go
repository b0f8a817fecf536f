package search

import (
	"context"
	"slices"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// node is a reachable step of a search with its successors.
type node[C any] struct {
	step    *algo.Step[C]
	up      *node[C]   // the question or fork before it, or the fork around it
	ends    []*node[C] // after a fork: the ends of its parts
	history history
	base    int32 // size of the last interesting candidate before it
	depth   int32 // questions and forks before it
	dead    bool  // not reachable

	skip  *node[C]   // a node that certainly follows, or nil
	joins []*node[C] // nodes that have it among their ends

	// of a question
	key      oracle.Key
	size     int32
	bytes    []byte     // until its test starts
	answer   *answer[C] // nil before look
	children [3]*node[C]

	// of a fork
	parts  []*node[C]
	joined []*node[C] // possible successors that were visited
}

// answer is a test. Candidates with the same bytes share it.
type answer[C any] struct {
	done      bool
	cancelled bool
	replayed  bool
	outcome   algo.Outcome
	err       error
	elapsed   time.Duration
	key       oracle.Key
	size      int32
	cancel    context.CancelFunc
	number    int        // of the test, in the order of starts
	nodes     []*node[C] // the waiting nodes until it is done
	urgency   urgency
	seen      int // value of looked when its urgency was last updated
}

func newNode[C any](s *algo.Step[C], up *node[C], h history, base int32) *node[C] {
	n := &node[C]{step: s, up: up, history: h, base: base}
	if up != nil {
		n.depth = up.depth + 1
	}
	if n.isFork() {
		n.parts = make([]*node[C], len(s.Fork))
	}
	return n
}

func (n *node[C]) isFork() bool { return n.step != nil && n.step.Fork != nil }

func (n *node[C]) child(o algo.Outcome) *node[C] {
	if n.children[o] == nil {
		base := n.base
		if o == algo.Interesting {
			base = n.size
		}
		n.children[o] = newNode(n.step.Next(o), n, n.history.with(o), base)
	}
	return n.children[o]
}

// situation returns the input of the predictor for a question after look.
func (n *node[C]) situation() situation {
	return situation{n.history, shareOf(n.base, n.size), n.step.Chance}
}

// part returns the first node of a part of a fork.
func (n *node[C]) part(i int) *node[C] {
	if n.parts[i] == nil {
		n.parts[i] = newNode(n.step.Fork[i](), n, n.history, n.base)
	}
	return n.parts[i]
}

// reached returns the depth of the known path from n.
func (n *node[C]) reached() int32 {
	if n == nil {
		return 0
	}
	for n.skip != nil {
		n = n.skip
	}
	return n.depth
}

// join returns the node after a fork whose parts have these ends.
func (n *node[C]) join(ends []*node[C]) *node[C] {
	for _, j := range n.joined {
		if slices.Equal(j.ends, ends) {
			return j
		}
	}
	values := make([]any, len(ends))
	base := n.base
	for i, e := range ends {
		base -= n.base - e.base
		if e.step != nil {
			values[i] = e.step.End
		}
	}
	j := newNode(n.step.Join(values), n, n.history, max(base, 0))
	j.ends = ends
	for _, e := range ends {
		e.joins = append(e.joins, j)
	}
	n.joined = append(n.joined, j)
	return j
}

// live returns the reachable nodes that wait for the answer.
func (a *answer[C]) live() []*node[C] {
	a.nodes = slices.DeleteFunc(a.nodes, func(n *node[C]) bool { return n.dead || n.answer != a })
	return a.nodes
}
