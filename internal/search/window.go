package search

import (
	"context"
	"errors"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// Run runs a search to its end, or until decide returns false. It calls decide with the answer to
// each question, in order, independent of Jobs; parts of a fork follow one another. It returns the
// search's End, or nil if decide stopped it. Errors are of the context or a test.
//
// Meanwhile free workers test the most likely later candidates, in the tree of both outcomes of
// open tests. A test serves all equal candidates, and is cancelled when unreachable.
func Run[C any](ctx context.Context, r *Runner, search *algo.Step[C], render func(C) []byte,
	decide func(*algo.Step[C], oracle.Answer) (goOn bool)) (end any, err error) {
	ctx, cancel := context.WithCancel(ctx)
	w := newWindow(r, render, decide)
	w.waiting, _ = ctx.Value(clockKey{}).(func(int) int)
	defer func() {
		cancel()
		for len(w.running) > 0 {
			w.wait()
		}
	}()
	w.root = newNode(search, nil, 0, int32(r.size))
	last, err := w.follow(ctx, w.root)
	switch {
	case err == errStopped:
		return nil, nil
	case err != nil || last.step == nil:
		return nil, err
	}
	return last.step.End, nil
}

var errStopped = errors.New("stopped")

// window is the tested part of a search.
type window[C any] struct {
	runner  *Runner
	render  func(C) []byte
	decide  func(*algo.Step[C], oracle.Answer) bool
	waiting func(running int) (ending int) // see WithClock; may be nil
	pending map[oracle.Key]*answer[C]
	running map[*answer[C]]bool
	ended   chan *answer[C]
	root    *node[C] // the current node, or outermost fork around it
	inForks int

	next []*node[C] // the most likely nodes
	ends int        // ended since next was computed

	looked int     // calls of lookAhead
	least  float64 // of the last node in lookAhead
}

func newWindow[C any](r *Runner, render func(C) []byte, decide func(*algo.Step[C], oracle.Answer) bool) *window[C] {
	return &window[C]{
		runner: r, render: render, decide: decide,
		pending: map[oracle.Key]*answer[C]{}, running: map[*answer[C]]bool{}, ended: make(chan *answer[C], r.Jobs), ends: 1,
	}
}

func (w *window[C]) follow(ctx context.Context, n *node[C]) (end *node[C], err error) {
	for !n.step.Ended() {
		if n.isFork() {
			ends := make([]*node[C], len(n.parts))
			w.inForks++
			for i := range n.parts {
				if ends[i], err = w.follow(ctx, n.part(i)); err != nil {
					return nil, err
				}
			}
			w.inForks--
			n = n.join(ends)
		} else {
			if err := w.ask(ctx, n); err != nil {
				return nil, err
			}
			n = w.answered(n)
		}
		if w.inForks == 0 {
			w.root, n.up, n.ends = n, nil, nil
		}
	}
	return n, nil
}

// told is the child after an answer with reasons.
const told = 3

// answered returns the node after the answer to a question.
func (w *window[C]) answered(n *node[C]) *node[C] {
	a := n.answer
	tell := [...]func([]string) *algo.Step[C]{n.step.Repair, n.step.Accepted, nil}[a.outcome]
	if n.children[told] == nil && tell != nil && len(a.reasons) > 0 {
		if s := tell(a.reasons); s != nil {
			w.drop(n.children[a.outcome])
			n.children[a.outcome] = nil
			n.children[told] = n.next(s, a.outcome)
		} else {
			n.children[told] = n.child(a.outcome)
		}
	}
	if n.children[told] != nil {
		return n.children[told]
	}
	return n.child(a.outcome)
}

func (w *window[C]) ask(ctx context.Context, n *node[C]) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.look(n); n.answer.done {
			break
		}
		w.plan(ctx, n)
		w.wait()
	}
	a, r := n.answer, w.runner
	if a.err != nil {
		return a.err
	}
	_, asked := r.asked.get(n.key)
	chance := w.likely(n)
	if !asked {
		r.used++
		if a.replayed {
			r.replayed++
		}
		r.predictor.learn(n.situation(), a.outcome)
	}
	r.asked.put(n.key, known{a.outcome, n.size})
	r.remember(n.key, a.reasons) // also those of the journal
	if a.outcome == algo.Interesting {
		r.clues, r.clued = a.reasons, n.key
	}
	answer := oracle.Answer{
		Outcome: a.outcome, Cached: asked, Replayed: a.replayed && !asked, Elapsed: a.elapsed, Chance: chance,
	}
	if !w.decide(n.step, answer) {
		return errStopped
	}
	return nil
}

func (w *window[C]) look(n *node[C]) {
	if n.answer != nil && !n.answer.cancelled {
		return
	}
	n.bytes = w.render(n.step.Candidate)
	n.key = oracle.KeyOf(n.bytes)
	n.size = int32(len(n.bytes))
	a := w.pending[n.key]
	if a == nil {
		r, known := w.runner.recall(candidate{n.key, n.bytes})
		a = &answer[C]{key: n.key, size: n.size, done: known, replayed: r.Earlier, outcome: r.Outcome, reasons: r.Reasons,
			elapsed: r.Elapsed}
		if !known {
			w.pending[n.key] = a
		}
	}
	n.answer = a
	if a.done {
		n.bytes = nil
		w.decided(n)
	} else {
		a.nodes = append(a.nodes, n)
	}
}

// decided drops the successors that did not happen.
func (w *window[C]) decided(n *node[C]) {
	for o, child := range n.children {
		if child != nil && algo.Outcome(o) != n.answer.outcome {
			n.children[o] = nil
			w.drop(child)
		}
	}
}

// drop makes a node and its successors unreachable, and cancels tests without other nodes.
func (w *window[C]) drop(n *node[C]) {
	if n == nil || n.dead {
		return
	}
	n.dead, n.bytes = true, nil
	if a := n.answer; a != nil && !a.done && len(a.live()) == 0 {
		if w.running[a] {
			w.cancel(a)
			w.ends += len(w.running) // force a new plan
		} else {
			delete(w.pending, a.key)
		}
	}
	for _, following := range [...][]*node[C]{n.children[:], n.parts, n.joined, n.joins} {
		for _, f := range following {
			w.drop(f)
		}
	}
}

// cancelOne cancels the least likely test to free a worker for the head; of equals the last
// started.
func (w *window[C]) cancelOne() {
	var victim *answer[C]
	least := 0.0
	for a := range w.running {
		if a.cancelled {
			return // a worker is about to be free
		}
		chance := 0.0
		for _, n := range a.live() {
			chance = max(chance, w.chance(n, nil))
		}
		if victim == nil || chance < least || chance == least && a.number > victim.number {
			victim, least = a, chance
		}
	}
	w.cancel(victim)
}

// chance returns the probability to reach n from the fork around it, or the current node if nil.
func (w *window[C]) chance(n, fork *node[C]) float64 {
	chance := 1.0
	for ; n.up != fork; n = n.up {
		for _, end := range n.ends {
			chance *= w.chance(end, n.up)
		}
		if !n.up.isFork() {
			chance *= w.follows(n.up, n)
		}
	}
	return chance
}

// follows returns the probability that a question's answer leads to n.
func (w *window[C]) follows(question, n *node[C]) float64 {
	if a := question.answer; a != nil && a.done {
		if question.children[a.outcome] == n || question.children[told] == n {
			return 1
		}
		return 0
	}
	p := w.likely(question)
	if question.children[algo.Interesting] == n {
		return p
	}
	return 1 - p
}

func (w *window[C]) start(ctx context.Context, n *node[C]) {
	a, about := n.answer, candidate{n.key, n.bytes}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, urgencyKey{}, &a.urgency))
	n.bytes = nil
	a.cancel = cancel
	w.running[a] = true
	w.runner.started++
	a.number = w.runner.started
	go func() {
		began := time.Now()
		a.outcome, a.reasons, a.err = w.runner.test(ctx, about)
		a.elapsed = time.Since(began)
		cancel()
		w.ended <- a
	}()
}

func (w *window[C]) cancel(a *answer[C]) {
	if !a.cancelled {
		a.cancelled = true
		a.cancel()
		delete(w.pending, a.key)
	}
}

func (w *window[C]) wait() {
	ending := 1
	if w.waiting != nil {
		ending = w.waiting(len(w.running))
	}
	var ended []*answer[C]
	for len(ended) < ending {
		select {
		case a := <-w.ended:
			a.done = true
			delete(w.running, a)
			ended = append(ended, a)
		case <-w.runner.Wake:
			if w.ends += len(w.running); w.waiting == nil {
				return
			}
		}
	}
	w.ends += ending
	for _, a := range ended {
		w.take(a)
	}
}

func (w *window[C]) take(a *answer[C]) {
	if a.cancelled {
		return
	}
	delete(w.pending, a.key)
	if a.err != nil {
		return
	}
	w.runner.early.put(a.key, known{a.outcome, a.size})
	w.runner.remember(a.key, a.reasons)
	for _, n := range a.live() {
		n.bytes = nil
		w.decided(n)
	}
	a.nodes = nil
}
