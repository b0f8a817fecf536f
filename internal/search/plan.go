package search

import (
	"container/heap"
	"context"
	"slices"

	"whittle/algo"
)

// plan assigns free workers to the head, which the search waits for, and to the most likely other nodes. With many
// workers, nodes found earlier are used for a while, because finding them takes time.
func (w *window[C]) plan(ctx context.Context, head *node[C]) {
	if steer := w.runner.Steer; steer != nil {
		if jobs := steer(ctx); jobs > 0 {
			w.runner.Jobs = jobs
		}
	}
	head.answer.urgency.set(1)
	if !w.running[head.answer] {
		if w.free() {
			w.start(ctx, head)
		} else {
			w.cancelOne()
		}
	}
	if w.runner.Jobs == 1 {
		return
	}
	if w.ends > len(w.running)/stale {
		w.lookAhead(ctx, head)
	}
	for w.free() && len(w.next) > 0 {
		n := w.next[0]
		w.next = w.next[1:]
		if n.dead {
			continue
		}
		if w.look(n); !n.answer.done && !w.running[n.answer] {
			n.answer.urgency.set(w.least)
			w.start(ctx, n)
		}
	}
}

// stale divides the running tests: after so many ends, plan looks for nodes again.
const stale = 16

func (w *window[C]) free() bool { return len(w.running) < w.runner.Jobs }

// lookAhead finds the most likely nodes, and starts their tests at once. It saves more in next.
func (w *window[C]) lookAhead(ctx context.Context, head *node[C]) {
	w.ends, w.next = 0, w.next[:0]
	w.looked++
	var queue guesses[C]
	queue.push(guess[C]{node: w.root, chance: 1})
	jobs := w.runner.Jobs
	for wanted := 1; len(queue.list) > 0 && wanted < jobs+jobs/stale; {
		g := heap.Pop(&queue).(guess[C])
		if g.kind == behind {
			if after, chance := w.after(g.node, g.chance/afterParts); after != nil {
				queue.push(guess[C]{node: after, chance: min(chance, g.chance)})
			}
			continue
		}
		n := g.reach(w)
		if n.step.Ended() {
			continue
		}
		if n.isFork() {
			for i := range n.parts {
				queue.push(guess[C]{node: n, kind: aPart, of: i, chance: g.chance})
			}
			// The step after a fork is expensive and comes after the parts.
			queue.push(guess[C]{node: n, kind: behind, chance: g.chance * afterParts})
			continue
		}
		if n.answer.done { // with an error
			continue
		}
		if n != head {
			wanted++
			if a := n.answer; a != head.answer && a.seen != w.looked {
				a.seen, w.least = w.looked, sure*g.chance
				a.urgency.set(w.least)
			}
			switch {
			case w.running[n.answer]:
			case w.free():
				w.start(ctx, n)
			default:
				w.next = append(w.next, n)
			}
		}
		if n.step.Late {
			continue
		}
		p := w.likely(n)
		queue.push(guess[C]{node: n, kind: aChild, of: int(algo.Uninteresting), chance: g.chance * (1 - p)})
		queue.push(guess[C]{node: n, kind: aChild, of: int(algo.Interesting), chance: g.chance * p})
	}
	for a := range w.running { // other tests are less likely
		if a.seen != w.looked && a != head.answer {
			a.urgency.set(min(a.urgency.get(), w.least))
		}
	}
}

func (w *window[C]) likely(n *node[C]) float64 {
	return w.runner.predictor.chance(n.situation())
}

// tip follows the known outcomes from n, and looks at all questions up to the tip.
func (w *window[C]) tip(n *node[C]) *node[C] {
	end := n
	for {
		for end.skip != nil {
			end = end.skip
		}
		next := w.known(end)
		if next == nil {
			break
		}
		end.skip = next
	}
	for n != end { // shorten the path for the next time
		n.skip, n = end, n.skip
	}
	return end
}

func (w *window[C]) known(n *node[C]) *node[C] {
	if n.step.Ended() {
		return nil
	}
	if !n.isFork() {
		if w.look(n); n.answer.done && n.answer.err == nil {
			return w.answered(n)
		}
		return nil
	}
	if slices.Contains(n.parts, nil) {
		return nil
	}
	for _, first := range n.parts {
		if !w.tip(first).step.Ended() {
			return nil
		}
	}
	ends := make([]*node[C], len(n.parts))
	for i, first := range n.parts {
		ends[i] = w.tip(first)
	}
	return n.join(ends)
}

const unlikely = 0.05

const afterParts = 0.999

// after returns a fork's most likely successor and its probability; nil if all are unlikely.
func (w *window[C]) after(fork *node[C], chance float64) (*node[C], float64) {
	ends := make([]*node[C], len(fork.parts))
	for i := range fork.parts {
		n := w.tip(fork.part(i))
		for !n.step.Ended() {
			if n.isFork() {
				if n, chance = w.after(n, chance); n == nil {
					return nil, 0
				}
				n = w.tip(n)
				continue
			}
			if n.answer.done { // with an error
				return nil, 0
			}
			if p := w.likely(n); p >= 0.5 {
				n, chance = n.child(algo.Interesting), chance*p
			} else {
				n, chance = n.child(algo.Uninteresting), chance*(1-p)
			}
			if chance < unlikely {
				return nil, 0
			}
			n = w.tip(n)
		}
		ends[i] = n
	}
	return fork.join(ends), chance
}
