// Package rounds combines the searches of many lists into one search. Passes over a tree use a [Driver], and a [Policy]
// searches its lists.
package rounds

import (
	"slices"
	"strings"

	"whittle/algo"
)

type step = algo.Step[[]int]

// A Driver runs many tasks in rounds. The tasks of a round are independent: each asks about the same base with its own
// edits. At the end of the round the successful edits are combined.
//
//	base ──┬── task ? ? ? ──┬── together ? ── next base ──┬── …
//	       ├── task ? ? ? ──┤                             │
//	       └── task ? ? ? ──┘                             └── …
//
// This costs a test after each round with more than one success, and all tasks of a round can run in parallel. A task
// can also ask several independent questions at once, the more the longer it has had no success.
type Driver[C, W any] struct {
	Plan
	// Next takes a task from the waiting ones, or nil.
	Next func(base C, waiting W) (*Task[C, W], W)
	// Allows reports whether a candidate made from base deserves a test. Otherwise it is Unresolved.
	Allows func(base, candidate C) bool
	// Undefines returns the names that a candidate made from base leaves undefined. nil means none.
	Undefines func(base, candidate C) []string
	// Enough ends the search before another round. nil means never.
	Enough func(base C) bool
}

// roundLength is the approximate number of questions until the best file has all successful edits.
const roundLength = 64

// serialAfterSuccess questions after a success are asked one by one. They are the most likely to succeed, and combining
// successes costs a test.
const serialAfterSuccess = 3

// Search starts with base and the waiting tasks. Its End is the policy that has learned.
func (d *Driver[C, W]) Search(base C, waiting W) *algo.Step[C] {
	return d.round(base, nil, waiting, d.Policy)
}

// Only searches one task and its successors. Next is not called and may be nil.
func (d *Driver[C, W]) Only(base C, t *Task[C, W]) *algo.Step[C] {
	alone := *d
	alone.Next = func(_ C, none W) (*Task[C, W], W) { return nil, none }
	var none W
	tasks, _, policy := alone.admit(base, nil, t, none, d.Policy)
	return alone.round(base, tasks, none, policy)
}

// round starts tasks until the round is full, but no task that is lighter than another: success with the heavy one may
// make it unnecessary.
func (d *Driver[C, W]) round(base C, tasks []open[C, W], waiting W, policy Policy) *algo.Step[C] {
	if d.Enough != nil && d.Enough(base) {
		return &algo.Step[C]{End: policy}
	}
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
	parts := make([]part[C, open[C, W]], len(tasks))
	for i, t := range tasks {
		t.policy, t.explained, t.silent, t.accepted = policy, 0, 0, 0
		parts[i] = func(end func(open[C, W]) *algo.Step[C]) *algo.Step[C] { return d.runTask(base, t, questions, end) }
	}
	round := together[C, open[C, W]]{
		base: base, allows: d.Allows,
		changed: func(ends []open[C, W]) (changed []int) {
			for i, t := range ends {
				if t.changed {
					changed = append(changed, i)
				}
			}
			return changed
		},
		edit: func(ends []open[C, W], some []int) C {
			c := base
			for _, i := range some {
				c = ends[i].Edit(c, ends[i].kept)
			}
			return c
		},
		undone: func(i int) open[C, W] { return tasks[i] },
		then:   func(base C, ends []open[C, W]) *algo.Step[C] { return d.next(base, ends, waiting, policy) },
	}
	return round.fork(parts)
}

func (d *Driver[C, W]) next(base C, last []open[C, W], waiting W, policy Policy) *algo.Step[C] {
	tasks := make([]open[C, W], 0, len(last))
	for _, t := range last {
		policy, _ = policy.Undefined(t.explained, t.silent, t.accepted)
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
}

func (d *Driver[C, W]) admit(
	base C, tasks []open[C, W], t *Task[C, W], waiting W, policy Policy,
) ([]open[C, W], W, Policy) {
	for t != nil {
		search := policy.Search(&t.List)
		if !search.Ended() {
			return append(tasks, open[C, W]{Task: t, progress: progressOf(search, &t.List)}), waiting, policy
		}
		policy = learn(policy, search)
		t, waiting = t.done(base, nil, waiting)
	}
	return tasks, waiting, policy
}

// runTask lets a task ask some questions, and continues with end.
func (d *Driver[C, W]) runTask(
	base C, t open[C, W], questions int, end func(open[C, W]) *algo.Step[C],
) *algo.Step[C] {
	for !t.next.Ended() && questions > 0 {
		batch := t.batch(min(d.Width, max(1, t.sinceSuccess-serialAfterSuccess)))
		if len(batch) > 1 {
			return d.ask(base, t, batch, func(base C, t open[C, W]) *algo.Step[C] {
				return d.runTask(base, t, questions-len(batch), end)
			})
		}
		c := t.Edit(base, t.next.Candidate)
		undefined, ok := d.deserves(base, c, t)
		if !ok {
			t.progress = t.answered(algo.Unresolved)
			continue
		}
		light := len(undefined) > 0 && t.isLight(t.next)
		s := t.ask(base, c, t.next, func(o algo.Outcome) *algo.Step[C] {
			base, t := base, t
			t.progress = t.answered(o)
			if o == algo.Interesting {
				base, t.changed = c, true
				t.accepted += min(len(undefined), 1)
			} else if light {
				t.silent++
			}
			return d.runTask(base, t, questions-1, end)
		})
		if len(undefined) > 0 {
			s.Repair = func(reasons []string) *algo.Step[C] {
				if !mention(reasons, undefined) {
					return nil
				}
				t := t
				t.progress = t.answered(algo.Uninteresting)
				t.explained++
				return d.runTask(base, t, questions-1, end)
			}
		}
		return s
	}
	return end(t)
}

// deserves reports whether a candidate deserves a test, and returns the names that it leaves undefined.
func (d *Driver[C, W]) deserves(base, c C, t open[C, W]) (undefined []string, ok bool) {
	undefined = d.undefined(base, c)
	_, skip := t.policy.Undefined(t.explained, t.silent, t.accepted)
	return undefined, (len(undefined) == 0 || !skip) && d.Allows(base, c)
}

func (d *Driver[C, W]) undefined(base, c C) []string {
	if d.Undefines == nil {
		return nil
	}
	return d.Undefines(base, c)
}

// mention reports whether a reason has one of the names. A reason is a place followed by names.
func mention(reasons, names []string) bool {
	return slices.ContainsFunc(reasons, func(reason string) bool {
		_, named, _ := strings.Cut(reason, " ")
		return slices.ContainsFunc(strings.Fields(named), func(name string) bool { return slices.Contains(names, name) })
	})
}

// ask asks a batch and passes the combined outcomes to the task.
func (d *Driver[C, W]) ask(
	base C, t open[C, W], batch []*step, then func(C, open[C, W]) *algo.Step[C],
) *algo.Step[C] {
	parts := make([]part[C, algo.Outcome], len(batch))
	for i, s := range batch {
		parts[i] = func(end func(algo.Outcome) *algo.Step[C]) *algo.Step[C] {
			c := t.Edit(base, s.Candidate)
			if _, ok := d.deserves(base, c, t); !ok {
				return end(algo.Unresolved)
			}
			return t.ask(base, c, s, end)
		}
	}
	asked := together[C, algo.Outcome]{
		base: base, allows: d.Allows,
		changed: func(outcomes []algo.Outcome) []int {
			_, taken := t.replay(batch, outcomes)
			return taken
		},
		edit:   func(_ []algo.Outcome, some []int) C { return t.Edit(base, t.without(batch, some)) },
		undone: func(int) algo.Outcome { return algo.Uninteresting },
		then: func(next C, outcomes []algo.Outcome) *algo.Step[C] {
			after, taken := t.replay(batch, outcomes)
			t := t
			for i, o := range outcomes {
				if o != algo.Uninteresting || !t.isLight(batch[i]) {
					continue
				}
				t.silent += min(len(d.undefined(base, t.Edit(base, batch[i].Candidate))), 1)
			}
			t.progress, t.changed = after, t.changed || len(taken) > 0
			return then(next, t)
		},
	}
	return asked.fork(parts)
}
