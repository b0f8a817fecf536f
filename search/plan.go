package search

import (
	"container/heap"
	"context"

	"whittle/algo"
)

// plan cancels the tests that cannot be reached any more and gives free workers
// the head, for which the search waits, and the likeliest of the other nodes.
func (w *window[C]) plan(ctx context.Context, head *node[C]) {
	jobs := w.runner.Jobs
	for a, n := range w.running {
		if !n.reachable() {
			w.cancel(a)
		}
	}
	if w.running[head.answer] == nil {
		if len(w.running) < jobs {
			w.start(ctx, head)
		} else {
			w.cancelOne()
		}
	}
	var queue guesses[C]
	push := func(chance float64, reach func() *node[C]) {
		if chance >= unlikely {
			heap.Push(&queue, guess[C]{reach, chance, queue.pushed})
			queue.pushed++
		}
	}
	if jobs > 1 {
		push(1, func() *node[C] { return w.root })
	}
	for wanted := 1; len(queue.list) > 0 && wanted < jobs; {
		g := heap.Pop(&queue).(guess[C])
		n := g.reach()
		if n == nil || n.step.Ended() {
			continue
		}
		if n.isFork() {
			for i := range n.parts {
				push(g.chance, func() *node[C] { return n.part(i) })
			}
			// What follows takes a while to find out, and comes after the parts.
			push(g.chance*afterParts, func() *node[C] {
				if after, chance := w.after(n, g.chance); after != nil {
					push(min(chance, g.chance*afterParts), func() *node[C] { return after })
				}
				return nil
			})
			continue
		}
		w.look(n)
		if n.answer.done {
			if n.answer.err == nil {
				push(g.chance, func() *node[C] { return n.child(n.answer.outcome) })
			}
			continue
		}
		if n != head {
			if wanted++; w.running[n.answer] == nil && len(w.running) < jobs {
				w.start(ctx, n) // at once, for the next may take a while to make
			}
		}
		p := w.runner.predictor.chance(n.history, n.share())
		push(g.chance*(1-p), func() *node[C] { return n.child(algo.Uninteresting) })
		push(g.chance*p, func() *node[C] { return n.child(algo.Interesting) })
	}
}

// unlikely is the chance below which nodes are not looked at.
const unlikely = 0.05

// afterParts puts what follows a fork behind its parts.
const afterParts = 0.999

// after gives the likeliest of the nodes that may follow a fork, with its chance;
// nil if all are unlikely.
func (w *window[C]) after(fork *node[C], chance float64) (*node[C], float64) {
	ends := make([]*node[C], len(fork.parts))
	for i := range fork.parts {
		n := fork.part(i)
		for !n.step.Ended() {
			if n.isFork() {
				if n, chance = w.after(n, chance); n == nil {
					return nil, 0
				}
				continue
			}
			w.look(n)
			switch p := w.runner.predictor.chance(n.history, n.share()); {
			case n.answer.done && n.answer.err != nil:
				return nil, 0
			case n.answer.done:
				n = n.child(n.answer.outcome)
			case p >= 0.5:
				n, chance = n.child(algo.Interesting), chance*p
			default:
				n, chance = n.child(algo.Uninteresting), chance*(1-p)
			}
			if chance < unlikely {
				return nil, 0
			}
		}
		ends[i] = n
	}
	return fork.join(ends), chance
}

// guess is a node that may be reached. It is not made before its turn comes, and
// then may turn out to be none.
type guess[C any] struct {
	reach  func() *node[C]
	chance float64
	number int
}

// guesses is a heap, the likeliest first, then the earlier.
type guesses[C any] struct {
	list   []guess[C]
	pushed int
}

func (g *guesses[C]) Len() int { return len(g.list) }
func (g *guesses[C]) Less(i, j int) bool {
	a, b := g.list[i], g.list[j]
	return a.chance > b.chance || a.chance == b.chance && a.number < b.number
}
func (g *guesses[C]) Swap(i, j int) { g.list[i], g.list[j] = g.list[j], g.list[i] }
func (g *guesses[C]) Push(x any)    { g.list = append(g.list, x.(guess[C])) }
func (g *guesses[C]) Pop() any {
	last := len(g.list) - 1
	x := g.list[last]
	g.list = g.list[:last]
	return x
}
