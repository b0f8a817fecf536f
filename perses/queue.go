package perses

// entry is a node that waits for its turn.
type entry struct {
	node   int32
	weight int
	tried  bool // it has been tried without this node already
}

// before orders the heaviest first, and the newer of two that weigh the same.
func (e entry) before(f entry) bool { return e.weight > f.weight }

// queue is a leftist heap: push and pop give a new queue in logarithmic time
// and leave the old one as it was. Nil is the empty queue.
type queue struct {
	entry
	rank        int
	left, right *queue
}

func (q *queue) push(e entry) *queue { return merge(&queue{entry: e, rank: 1}, q) }

func (q *queue) pop() (entry, *queue) { return q.entry, merge(q.left, q.right) }

// merge prefers the root of a where both weigh the same.
func merge(a, b *queue) *queue {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	if b.before(a.entry) {
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
