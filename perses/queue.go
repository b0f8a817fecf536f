package perses

type entry struct {
	node   int32
	weight int
	tried  bool // removal of the node was already tried
	nest   nest // around the node
}

// queue is a leftist heap, the heaviest entry first, and the newer of equal ones: push and pop return a new queue in
// logarithmic time. nil is empty.
type queue struct {
	entry
	rank        int
	left, right *queue
}

func (q *queue) push(e entry) *queue { return merge(&queue{entry: e, rank: 1}, q) }

func (q *queue) pop() (entry, *queue) { return q.entry, merge(q.left, q.right) }

// merge prefers the root of a if both have the same weight.
func merge(a, b *queue) *queue {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	if b.weight > a.weight {
		a, b = b, a
	}
	m := &queue{entry: a.entry, left: a.left, right: merge(a.right, b)}
	if m.left.height() < m.right.height() {
		m.left, m.right = m.right, m.left
	}
	m.rank = m.right.height() + 1
	return m
}

func (q *queue) height() int {
	if q == nil {
		return 0
	}
	return q.rank
}
