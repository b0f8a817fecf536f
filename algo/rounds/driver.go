// Package rounds makes searches of many lists one search of a whole: tasks, each
// with a list, that edit different parts of the same base are worked on at once, in
// rounds, and their edits are made together.
//
// A [Driver] is what a pass over a tree is made of; a [Policy] searches its lists.
package rounds

import (
	"slices"

	"whittle/algo"
)

// step is a step of a list search.
type step = algo.Step[[]int]

// A Task is a list search as a part of a driver's work on a whole of type C. The
// tasks of a driver that are open at the same time are about different parts of
// the whole, so that their edits can be made together. W is what waits to become
// a task.
type Task[C, W any] struct {
	// Weight is how much the task is about; 0 if that does not matter.
	Weight int
	// List is what is searched, by the driver's policy.
	List algo.List
	// Edit makes the part of base that the task is about what is kept. It
	// gives the same for a base in which less has been removed from this part.
	Edit func(base C, kept []int) C
	// Done gives the task that follows when the search has ended, nil if none
	// does, and what waits then. base has kept, which is nil if the search
	// changed nothing. A nil Done means that nothing follows.
	Done func(base C, kept []int, waiting W) (*Task[C, W], W)
}

func (t *Task[C, W]) done(base C, kept []int, waiting W) (*Task[C, W], W) {
	if t.Done == nil {
		return nil, waiting
	}
	return t.Done(base, kept, waiting)
}

// A Driver works on many tasks in rounds: the tasks of a round ask independently
// of each other, each against the same base and what it has achieved itself. At
// the end of the round the edits that succeeded are made together.
//
//	base ──┬── task ? ? ? ──┬── together ? ── next base ──┬── …
//	       ├── task ? ? ? ──┤                             │
//	       └── task ? ? ? ──┘                             └── …
//
// This costs a test for each round in which more than one task succeeded, and
// lets as many tests run at once as the round has tasks, and more.
type Driver[C, W any] struct {
	Plan
	// Next takes the next task from what waits; nil if nothing waits now.
	Next func(base C, waiting W) (*Task[C, W], W)
	// Allows reports whether a candidate made from base is worth a test. The
	// search is told Unresolved where it is not.
	Allows func(base, candidate C) bool
}

// roundLength is about how many questions a round has: so often at least the
// best file is all that has succeeded.
const roundLength = 64

// excited is how many questions of a list after a success are asked one by one:
// they are the likeliest to succeed, and successes that come together cost a test.
const excited = 3

// Search begins with base and what waits. Its end is the policy after it.
func (d *Driver[C, W]) Search(base C, waiting W) *algo.Step[C] {
	return d.round(base, nil, waiting, d.Policy)
}

// Only is the search that one task makes, with what follows it; Next is not
// called and may be nil.
func (d *Driver[C, W]) Only(base C, t *Task[C, W]) *algo.Step[C] {
	alone := Driver[C, W]{d.Plan, func(_ C, none W) (*Task[C, W], W) { return nil, none }, d.Allows}
	var none W
	tasks, _, policy := alone.admit(base, nil, t, none, d.Policy)
	return alone.round(base, tasks, none, policy)
}

// open is a task with its search.
type open[C, W any] struct {
	*Task[C, W]
	progress
	changed bool // in this round
}

func (t open[C, W]) question(kept []int) *algo.Question {
	return &algo.Question{List: &t.List, Left: t.list(), Kept: kept}
}

// round opens tasks until the round is full, and lets each ask. None is opened
// that is lighter than another: with what is heavy much may become needless that
// is light.
func (d *Driver[C, W]) round(base C, tasks []open[C, W], waiting W, policy Policy) *algo.Step[C] {
	for len(tasks) < d.Width {
		t, rest := d.Next(base, waiting)
		if t == nil || slices.ContainsFunc(tasks, func(o open[C, W]) bool { return o.Weight > t.Weight }) {
			break
		}
		tasks, waiting, policy = d.admit(base, tasks, t, rest, policy)
	}
	if len(tasks) == 0 {
		return &algo.Step[C]{End: policy}
	}
	questions := max(1, roundLength/len(tasks))
	if len(tasks) == 1 {
		return d.pursue(base, tasks[0], questions, func(after open[C, W]) *algo.Step[C] {
			return d.gather(base, tasks, []open[C, W]{after}, waiting, policy)
		})
	}
	parts := make([]func() *algo.Step[C], len(tasks))
	for i, t := range tasks {
		parts[i] = func() *algo.Step[C] {
			return d.pursue(base, t, questions, func(after open[C, W]) *algo.Step[C] { return &algo.Step[C]{End: after} })
		}
	}
	return &algo.Step[C]{Fork: parts, Join: func(ends []any) *algo.Step[C] {
		after := make([]open[C, W], len(ends))
		for i, end := range ends {
			after[i] = end.(open[C, W])
		}
		return d.gather(base, tasks, after, waiting, policy)
	}}
}

// admit opens a task, or what follows it if it has nothing to ask.
func (d *Driver[C, W]) admit(base C, tasks []open[C, W], t *Task[C, W], waiting W, policy Policy) ([]open[C, W], W, Policy) {
	for t != nil {
		search := policy.Search(&t.List)
		if !search.Ended() {
			return append(tasks, open[C, W]{t, progressOf(search, &t.List), false}), waiting, policy
		}
		policy = learn(policy, search)
		t, waiting = t.done(base, nil, waiting)
	}
	return tasks, waiting, policy
}

// gather ends a round: it makes the edits of all tasks together and begins the
// next round. A task of which the edit does not hold with the others goes back
// to where it was.
func (d *Driver[C, W]) gather(base C, before, after []open[C, W], waiting W, policy Policy) *algo.Step[C] {
	var changed []int
	for i := range after {
		if after[i].changed {
			changed = append(changed, i)
		}
	}
	edit := func(chosen []int) C {
		c := base
		for _, k := range chosen {
			t := after[changed[k]]
			c = t.Edit(c, t.kept)
		}
		return c
	}
	with := func(chosen []int) (C, bool) {
		c := edit(chosen)
		return c, d.Allows(base, c)
	}
	return unite(len(changed), with, func(chosen []int) *algo.Step[C] {
		base, waiting, policy := edit(chosen), waiting, policy
		tasks := make([]open[C, W], 0, len(after))
		for i, t := range after {
			if t.changed {
				if len(chosen) == 0 || changed[chosen[0]] != i {
					tasks = append(tasks, before[i])
					continue
				}
				chosen = chosen[1:]
			}
			if !t.next.Ended() {
				t.changed = false
				tasks = append(tasks, t)
				continue
			}
			policy = learn(policy, t.next)
			var follows *Task[C, W]
			follows, waiting = t.done(base, t.kept, waiting)
			tasks, waiting, policy = d.admit(base, tasks, follows, waiting, policy)
		}
		return d.round(base, tasks, waiting, policy)
	})
}

// pursue lets a task ask some questions, then goes on with end.
func (d *Driver[C, W]) pursue(base C, t open[C, W], questions int, end func(open[C, W]) *algo.Step[C]) *algo.Step[C] {
	for !t.next.Ended() && questions > 0 {
		batch := t.batch(min(d.Width, max(1, t.calm-excited)))
		if len(batch) > 1 {
			return d.ask(base, t, batch, func(base C, t open[C, W]) *algo.Step[C] {
				return d.pursue(base, t, questions-len(batch), end)
			})
		}
		c := t.Edit(base, batch[0])
		if !d.Allows(base, c) {
			t.progress = t.told(algo.Unresolved)
			continue
		}
		return &algo.Step[C]{Candidate: c, About: t.question(batch[0]), Next: func(o algo.Outcome) *algo.Step[C] {
			base, t := base, t
			t.progress = t.told(o)
			if o == algo.Interesting {
				base, t.changed = c, true
			}
			return d.pursue(base, t, questions-1, end)
		}}
	}
	return end(t)
}

// ask asks all questions of a batch.
func (d *Driver[C, W]) ask(base C, t open[C, W], batch [][]int, then func(C, open[C, W]) *algo.Step[C]) *algo.Step[C] {
	parts := make([]func() *algo.Step[C], len(batch))
	for i, kept := range batch {
		parts[i] = func() *algo.Step[C] {
			c := t.Edit(base, kept)
			if !d.Allows(base, c) {
				return &algo.Step[C]{End: algo.Unresolved}
			}
			return &algo.Step[C]{Candidate: c, About: t.question(kept), Next: func(o algo.Outcome) *algo.Step[C] { return &algo.Step[C]{End: o} }}
		}
	}
	return &algo.Step[C]{Fork: parts, Join: func(ends []any) *algo.Step[C] {
		outcomes := make([]algo.Outcome, len(ends))
		for i, end := range ends {
			outcomes[i] = end.(algo.Outcome)
		}
		return d.settle(base, t, batch, outcomes, then)
	}}
}

// settle tells the search of a task what came out, as far as it holds together.
func (d *Driver[C, W]) settle(base C, t open[C, W], batch [][]int, outcomes []algo.Outcome, then func(C, open[C, W]) *algo.Step[C]) *algo.Step[C] {
	after, taken := t.replay(batch, outcomes)
	list := t.list()
	keep := func(chosen []int) []int {
		kept := list
		for _, k := range chosen {
			kept = algo.Without(kept, algo.Without(list, batch[taken[k]]))
		}
		return kept
	}
	with := func(chosen []int) (C, bool) {
		c := t.Edit(base, keep(chosen))
		return c, d.Allows(base, c)
	}
	return unite(len(taken), with, func(chosen []int) *algo.Step[C] {
		if len(chosen) < len(taken) {
			outcomes := slices.Clone(outcomes)
			for k, i := range taken {
				if len(chosen) > 0 && chosen[0] == k {
					chosen = chosen[1:]
					continue
				}
				outcomes[i] = algo.Uninteresting
			}
			return d.settle(base, t, batch, outcomes, then)
		}
		t := t
		t.progress = after
		if len(chosen) == 0 {
			return then(base, t)
		}
		t.changed = true
		return then(t.Edit(base, t.kept), t)
	})
}
