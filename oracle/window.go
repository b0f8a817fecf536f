package oracle

import (
	"container/heap"
	"context"
	"time"

	"whittle/algo"
)

// Search runs a search to its end, or until decide says to stop. It renders each
// candidate on the path of real outcomes, answers it, and calls decide with it,
// in order; what decide sees does not depend on Jobs. It returns ctx's error or
// that of a test that could not be run, when no test is left running.
//
// While the test of one candidate runs, free workers test what may be asked
// later. Both outcomes of each open test are followed: the steps of a search
// form a binary tree, and the workers take the nodes that are most likely to be
// reached. A test that runs already when its bytes are asked for is taken over;
// one that can no longer be reached is cancelled.
func Search[C any](ctx context.Context, o *Oracle, search *algo.Step[C], render func(C) []byte, decide func(C, Answer) (goOn bool)) error {
	if o.known == nil {
		o.known = map[key]*answer{}
	}
	w := &window[C]{oracle: o, render: render, running: map[*answer]*node[C]{}, ended: make(chan *answer, o.Jobs)}
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for len(w.running) > 0 {
			w.wait()
		}
	}()
	for head := newNode(search, nil, 0); head != nil; {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.look(head)
		if !head.answer.done {
			w.plan(ctx, head)
			w.wait()
			continue
		}
		a := head.answer
		if a.err != nil {
			return a.err
		}
		cached := a.used
		if !cached {
			a.used = true
			o.used++
			if a.replayed {
				o.replayed++
			}
			o.predictor.learn(head.history, a.outcome)
		}
		if !decide(head.step.Candidate, Answer{a.outcome, cached, a.replayed && !cached, a.elapsed}) {
			return nil
		}
		head = head.child(a.outcome)
		if head != nil {
			head.parent = nil
		}
	}
	return nil
}

// node is a step ahead, with the nodes that follow its outcomes.
type node[C any] struct {
	step     *algo.Step[C]
	parent   *node[C]
	history  history
	key      key
	bytes    []byte  // until its test starts
	answer   *answer // nil while nobody has looked
	children [3]*node[C]
	built    [3]bool
}

func newNode[C any](s *algo.Step[C], parent *node[C], h history) *node[C] {
	if s == nil {
		return nil
	}
	return &node[C]{step: s, parent: parent, history: h}
}

// child gives the node after an outcome, nil if the search ends there.
func (n *node[C]) child(o algo.Outcome) *node[C] {
	if !n.built[o] {
		n.children[o], n.built[o] = newNode(n.step.Next(o), n, n.history.with(o)), true
	}
	return n.children[o]
}

// reachable tells whether the outcomes known since head still lead to n.
func (n *node[C]) reachable(head *node[C]) bool {
	for n != head {
		p := n.parent
		if p == nil || p.answer.done && p.children[p.answer.outcome] != n {
			return false
		}
		n = p
	}
	return true
}

// window is the part of a search that is being tested.
type window[C any] struct {
	oracle  *Oracle
	render  func(C) []byte
	running map[*answer]*node[C]
	ended   chan *answer
}

// look renders a node and finds what is known of its candidate.
func (w *window[C]) look(n *node[C]) {
	if n.answer != nil && !n.answer.cancelled {
		return
	}
	n.bytes = w.render(n.step.Candidate)
	n.key = keyOf(n.bytes)
	a := w.oracle.known[n.key]
	if a == nil {
		a = w.oracle.recall(n.key)
		w.oracle.known[n.key] = a
	}
	n.answer = a
	if w.running[a] != nil {
		w.running[a] = n // taken over
	}
}

// plan cancels the tests that cannot be reached from head any more and gives
// free workers the most likely nodes at and below it.
func (w *window[C]) plan(ctx context.Context, head *node[C]) {
	jobs := w.oracle.Jobs
	var wanted []*node[C]
	queue := guesses[C]{{node: head, chance: 1}}
	for looked := 0; len(queue) > 0 && len(wanted) < jobs && looked < 64+8*jobs; looked++ {
		g := heap.Pop(&queue).(guess[C])
		n := g.node
		if g.after {
			n = n.child(g.outcome)
		}
		if n == nil {
			continue
		}
		w.look(n)
		switch {
		case !n.answer.done:
			wanted = append(wanted, n)
			p := w.oracle.predictor.chance(n.history)
			heap.Push(&queue, guess[C]{n, true, algo.Interesting, g.chance * p})
			heap.Push(&queue, guess[C]{n, true, algo.Uninteresting, g.chance * (1 - p)})
		case n.answer.err == nil:
			heap.Push(&queue, guess[C]{n, true, n.answer.outcome, g.chance})
		}
	}
	for a, n := range w.running {
		if !n.reachable(head) {
			w.cancel(a)
		}
	}
	if w.running[head.answer] == nil && len(w.running) >= jobs {
		w.cancelOne(head)
	}
	for _, n := range wanted {
		if len(w.running) < jobs && w.running[n.answer] == nil {
			w.start(ctx, n)
		}
	}
}

// cancelOne makes room for head's test.
func (w *window[C]) cancelOne(head *node[C]) {
	var victim *answer
	for a, n := range w.running {
		if a.cancelled {
			return // room is coming
		}
		if victim == nil || !n.reachable(head) {
			victim = a
		}
	}
	w.cancel(victim)
}

// start runs the test of n.
func (w *window[C]) start(ctx context.Context, n *node[C]) {
	ctx, cancel := context.WithCancel(ctx)
	a, key, bytes := n.answer, n.key, n.bytes
	n.bytes = nil
	a.cancel = cancel
	w.running[a] = n
	w.oracle.started++
	go func() {
		began := time.Now()
		a.outcome, a.err = w.oracle.test(ctx, key, bytes)
		a.elapsed = time.Since(began)
		cancel()
		w.ended <- a
	}()
}

// cancel stops a test and forgets it.
func (w *window[C]) cancel(a *answer) {
	if !a.cancelled {
		a.cancelled = true
		a.cancel()
		delete(w.oracle.known, w.running[a].key)
	}
}

// wait waits for the end of a test.
func (w *window[C]) wait() {
	a := <-w.ended
	if a.err != nil && !a.cancelled {
		delete(w.oracle.known, w.running[a].key)
	}
	a.done = true
	delete(w.running, a)
}

// guess is a node that may be reached: node itself, or the one after an outcome
// of it.
type guess[C any] struct {
	node    *node[C]
	after   bool
	outcome algo.Outcome
	chance  float64
}

// guesses is a heap, the likeliest first.
type guesses[C any] []guess[C]

func (g guesses[C]) Len() int           { return len(g) }
func (g guesses[C]) Less(i, j int) bool { return g[i].chance > g[j].chance }
func (g guesses[C]) Swap(i, j int)      { g[i], g[j] = g[j], g[i] }
func (g *guesses[C]) Push(x any)        { *g = append(*g, x.(guess[C])) }
func (g *guesses[C]) Pop() any {
	last := len(*g) - 1
	x := (*g)[last]
	*g = (*g)[:last]
	return x
}
