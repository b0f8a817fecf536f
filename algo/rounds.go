package algo

import "slices"

// A Task is a list search as a part of a driver's work on a whole of type C. The
// tasks of a driver that are open at the same time are about different parts of
// the whole, so that their edits can be made together. W is what waits to become
// a task.
type Task[C, W any] struct {
	// Weight is how much the task is about; 0 if that does not matter.
	Weight int
	// List is what is searched, by the driver's policy.
	List List
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
	// Policy searches the lists.
	Policy Policy
	// Width is how many tasks a round has at most, and how many questions of a
	// list are asked against the same base. 1 asks one after the other.
	Width int
	// Next takes the next task from what waits; nil if nothing waits now.
	Next func(base C, waiting W) (*Task[C, W], W)
	// Allows tells whether a candidate made from base is worth a test. The
	// search is told Unresolved where it is not.
	Allows func(base, candidate C) bool
}

// roundLength is about how many questions a round has: so often at least the
// best file is all that has succeeded.
const roundLength = 64

// excited is how many questions of a list after a success are asked one by one:
// they are the likeliest to succeed, and successes that come together cost a test.
const excited = 3

// Search begins with base, what waits and what is known; its end is what is known
// then, a Lore.
func (d *Driver[C, W]) Search(base C, waiting W, lore Lore) *Step[C] {
	return d.round(base, nil, waiting, lore)
}

// Only is the search that one task makes, with what follows it; Next is not
// called and may be nil.
func (d *Driver[C, W]) Only(base C, t *Task[C, W], lore Lore) *Step[C] {
	alone := Driver[C, W]{d.Policy, d.Width, func(_ C, none W) (*Task[C, W], W) { return nil, none }, d.Allows}
	var none W
	tasks, _, lore := alone.admit(base, nil, t, none, lore)
	return alone.round(base, tasks, none, lore)
}

// open is a task with its search.
type open[C, W any] struct {
	*Task[C, W]
	progress
	changed bool // in this round
}

func (t open[C, W]) question(kept []int) *Question { return &Question{&t.List, t.list(), kept} }

// round opens tasks until the round is full, and lets each ask. None is opened
// that is lighter than another: with what is heavy much may become needless that
// is light.
func (d *Driver[C, W]) round(base C, tasks []open[C, W], waiting W, lore Lore) *Step[C] {
	for len(tasks) < d.Width {
		t, rest := d.Next(base, waiting)
		if t == nil || slices.ContainsFunc(tasks, func(o open[C, W]) bool { return o.Weight > t.Weight }) {
			break
		}
		tasks, waiting, lore = d.admit(base, tasks, t, rest, lore)
	}
	if len(tasks) == 0 {
		return &Step[C]{End: lore}
	}
	questions := max(1, roundLength/len(tasks))
	if len(tasks) == 1 {
		return d.pursue(base, tasks[0], questions, func(after open[C, W]) *Step[C] {
			return d.gather(base, tasks, []open[C, W]{after}, waiting, lore)
		})
	}
	parts := make([]func() *Step[C], len(tasks))
	for i, t := range tasks {
		parts[i] = func() *Step[C] {
			return d.pursue(base, t, questions, func(after open[C, W]) *Step[C] { return &Step[C]{End: after} })
		}
	}
	return &Step[C]{Fork: parts, Join: func(ends []any) *Step[C] {
		after := make([]open[C, W], len(ends))
		for i, end := range ends {
			after[i] = end.(open[C, W])
		}
		return d.gather(base, tasks, after, waiting, lore)
	}}
}

// admit opens a task, or what follows it if it has nothing to ask.
func (d *Driver[C, W]) admit(base C, tasks []open[C, W], t *Task[C, W], waiting W, lore Lore) ([]open[C, W], W, Lore) {
	for t != nil {
		search := d.Policy.Search(&t.List, lore)
		if !search.Ended() {
			return append(tasks, open[C, W]{t, progressOf(search, &t.List), false}), waiting, lore
		}
		lore = lore.after(search)
		t, waiting = t.done(base, nil, waiting)
	}
	return tasks, waiting, lore
}

// gather ends a round: it makes the edits of all tasks together and begins the
// next round. A task of which the edit does not hold with the others goes back
// to where it was.
func (d *Driver[C, W]) gather(base C, before, after []open[C, W], waiting W, lore Lore) *Step[C] {
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
	return unite(len(changed), with, func(chosen []int) *Step[C] {
		base, waiting, lore := edit(chosen), waiting, lore
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
			lore = lore.after(t.next)
			var follows *Task[C, W]
			follows, waiting = t.done(base, t.kept, waiting)
			tasks, waiting, lore = d.admit(base, tasks, follows, waiting, lore)
		}
		return d.round(base, tasks, waiting, lore)
	})
}

// pursue lets a task ask some questions, then goes on with end.
func (d *Driver[C, W]) pursue(base C, t open[C, W], questions int, end func(open[C, W]) *Step[C]) *Step[C] {
	for !t.next.Ended() && questions > 0 {
		batch := t.batch(min(d.Width, max(1, t.calm-excited)))
		if len(batch) > 1 {
			return d.ask(base, t, batch, func(base C, t open[C, W]) *Step[C] {
				return d.pursue(base, t, questions-len(batch), end)
			})
		}
		c := t.Edit(base, batch[0])
		if !d.Allows(base, c) {
			t.progress = t.told(Unresolved)
			continue
		}
		return &Step[C]{Candidate: c, About: t.question(batch[0]), Next: func(o Outcome) *Step[C] {
			base, t := base, t
			t.progress = t.told(o)
			if o == Interesting {
				base, t.changed = c, true
			}
			return d.pursue(base, t, questions-1, end)
		}}
	}
	return end(t)
}

// ask asks all questions of a batch.
func (d *Driver[C, W]) ask(base C, t open[C, W], batch [][]int, then func(C, open[C, W]) *Step[C]) *Step[C] {
	parts := make([]func() *Step[C], len(batch))
	for i, kept := range batch {
		parts[i] = func() *Step[C] {
			c := t.Edit(base, kept)
			if !d.Allows(base, c) {
				return &Step[C]{End: Unresolved}
			}
			return &Step[C]{Candidate: c, About: t.question(kept), Next: func(o Outcome) *Step[C] { return &Step[C]{End: o} }}
		}
	}
	return &Step[C]{Fork: parts, Join: func(ends []any) *Step[C] {
		outcomes := make([]Outcome, len(ends))
		for i, end := range ends {
			outcomes[i] = end.(Outcome)
		}
		return d.settle(base, t, batch, outcomes, then)
	}}
}

// settle tells the search of a task what came out, as far as it holds together.
func (d *Driver[C, W]) settle(base C, t open[C, W], batch [][]int, outcomes []Outcome, then func(C, open[C, W]) *Step[C]) *Step[C] {
	after, taken := t.replay(batch, outcomes)
	list := t.list()
	keep := func(chosen []int) []int {
		kept := list
		for _, k := range chosen {
			kept = without(kept, without(list, batch[taken[k]]))
		}
		return kept
	}
	with := func(chosen []int) (C, bool) {
		c := t.Edit(base, keep(chosen))
		return c, d.Allows(base, c)
	}
	return unite(len(taken), with, func(chosen []int) *Step[C] {
		if len(chosen) < len(taken) {
			outcomes := slices.Clone(outcomes)
			for k, i := range taken {
				if len(chosen) > 0 && chosen[0] == k {
					chosen = chosen[1:]
					continue
				}
				outcomes[i] = Uninteresting
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
