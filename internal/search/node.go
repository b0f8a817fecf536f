package search

import (
	"context"
	"slices"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// node is a step of a search that may be reached, with the nodes that follow it.
type node[C any] struct {
	step    *algo.Step[C]
	up      *node[C]   // the question or fork that it follows, or the fork that it is in
	ends    []*node[C] // if it follows a fork: the ends of the parts that lead to it
	history history
	base    int32 // size of the last interesting candidate on the way
	depth   int32 // questions and forks before it
	dead    bool  // it cannot be reached any more

	skip  *node[C]   // a node that it certainly leads to, nil if none is known
	joins []*node[C] // those that have it among their ends

	// of a question
	key      oracle.Key
	size     int32
	bytes    []byte     // until its test starts
	answer   *answer[C] // nil while nobody has looked
	children [3]*node[C]

	// of a fork
	parts  []*node[C]
	joined []*node[C] // those that may follow and have been looked at
}

// answer is a test that runs or has ended. Candidates of the same bytes share it.
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
	number    int        // of the test, among those that were started
	nodes     []*node[C] // that want it, while it is not done
	urgency   urgency
	seen      int // when its urgency was found out last
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

// child returns the node after an outcome.
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

// situation returns what a guess about a question depends on, once it was looked at.
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

// reached returns how deep the path from n is that is known to have been taken.
func (n *node[C]) reached() int32 {
	if n == nil {
		return 0
	}
	for n.skip != nil {
		n = n.skip
	}
	return n.depth
}

// join returns the node after a fork of which the parts have these ends.
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

// live returns those of the nodes that want an answer which can be reached.
func (a *answer[C]) live() []*node[C] {
	a.nodes = slices.DeleteFunc(a.nodes, func(n *node[C]) bool { return n.dead || n.answer != a })
	return a.nodes
}
