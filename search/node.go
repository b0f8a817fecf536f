package search

import (
	"context"
	"errors"
	"slices"
	"time"

	"whittle/algo"
)

// errStopped says that decide wanted no more.
var errStopped = errors.New("stopped")

// node is a step of a search that may be reached, with the nodes that follow it.
type node[C any] struct {
	step    *algo.Step[C]
	up      *node[C]   // the question or fork that it follows, or the fork that it is in
	ends    []*node[C] // if it follows a fork: the ends of the parts that lead to it
	history history
	base    int32 // size of the last interesting candidate on the way

	// of a question
	key      Key
	size     int32
	bytes    []byte  // until its test starts
	answer   *answer // nil while nobody has looked
	children [3]*node[C]

	// of a fork
	parts  []*node[C]
	joined []*node[C] // those that may follow and have been looked at
}

func newNode[C any](s *algo.Step[C], up *node[C], h history, base int32) *node[C] {
	n := &node[C]{step: s, up: up, history: h, base: base}
	if n.isFork() {
		n.parts = make([]*node[C], len(s.Fork))
	}
	return n
}

func (n *node[C]) isFork() bool { return n.step != nil && n.step.Fork != nil }

// child gives the node after an outcome.
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

func (n *node[C]) share() share { return shareOf(n.base, n.size) }

// part gives the first node of a part of a fork.
func (n *node[C]) part(i int) *node[C] {
	if n.parts[i] == nil {
		n.parts[i] = newNode(n.step.Fork[i](), n, n.history, n.base)
	}
	return n.parts[i]
}

// join gives the node after a fork of which the parts have these ends.
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
	n.joined = append(n.joined, j)
	return j
}

// reachable tells whether the outcomes that are known may still lead to n.
func (n *node[C]) reachable() bool { return n.reachableFrom(nil) }

// reachableFrom tells the same of the way from a fork, in which n is.
func (n *node[C]) reachableFrom(fork *node[C]) bool {
	for ; n.up != fork; n = n.up {
		up := n.up
		if !up.isFork() && up.answer.done && up.children[up.answer.outcome] != n {
			return false
		}
		if slices.ContainsFunc(n.ends, func(end *node[C]) bool { return !end.reachableFrom(up) }) {
			return false
		}
	}
	return true
}

// answer is a test that runs or has ended.
type answer struct {
	done      bool
	cancelled bool
	replayed  bool
	outcome   algo.Outcome
	err       error
	elapsed   time.Duration
	cancel    context.CancelFunc
	number    int // of the test, among those that were started
}
