package search

import (
	"context"
	"slices"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// node is a reachable step of a search.
type node[C any] struct {
	step    *algo.Step[C]
	up      *node[C]   // the question or fork before or around it
	ends    []*node[C] // after a fork: its parts' ends
	history history
	base    int32 // size of the interesting candidate before it
	depth   int32 // questions and forks before it
	dead    bool

	skip  *node[C]   // a certain successor, or nil
	joins []*node[C] // nodes with it among their ends

	// of a question
	key      oracle.Key
	size     int32
	bytes    []byte      // until its test starts
	answer   *answer[C]  // nil before look
	children [4]*node[C] // by outcome, and the repaired one

	// of a fork
	parts  []*node[C]
	joined []*node[C] // visited successors
}

// answer is a test, shared by candidates with the same bytes.
type answer[C any] struct {
	done      bool
	cancelled bool
	replayed  bool
	outcome   algo.Outcome
	reasons   []string
	err       error
	elapsed   time.Duration
	key       oracle.Key
	size      int32
	cancel    context.CancelFunc
	number    int        // by start of the test
	nodes     []*node[C] // waiting until done
	urgency   urgency
	seen      int // looked at the last update of its urgency
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
		n.children[o] = n.next(n.step.Next(o), o)
	}
	return n.children[o]
}

// next returns a node for the step after an outcome.
func (n *node[C]) next(s *algo.Step[C], o algo.Outcome) *node[C] {
	base := n.base
	if o == algo.Interesting {
		base = n.size
	}
	return newNode(s, n, n.history.with(o), base)
}

func (n *node[C]) situation() situation {
	return situation{n.history, shareOf(n.base, n.size), n.step.Chance}
}

// part returns the first node of a fork's part.
func (n *node[C]) part(i int) *node[C] {
	if n.parts[i] == nil {
		n.parts[i] = newNode(n.step.Fork[i](), n, n.history, n.base)
	}
	return n.parts[i]
}

func (n *node[C]) reached() int32 {
	if n == nil {
		return 0
	}
	for n.skip != nil {
		n = n.skip
	}
	return n.depth
}

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

func (a *answer[C]) live() []*node[C] {
	a.nodes = slices.DeleteFunc(a.nodes, func(n *node[C]) bool { return n.dead || n.answer != a })
	return a.nodes
}
