package rounds

import "whittle/algo"

// A Task is a list search as a part of a driver's work on a whole of type C. The
// tasks of a driver that are open at the same time are about different parts of
// the whole, so that their edits can be made together. W is what waits to become
// a task.
type Task[C, W any] struct {
	// Weight is how much the task is about; 0 if that does not matter.
	Weight int
	// List is what is searched, by the driver's policy.
	List algo.List
	// Edit returns base with the part that the task is about made of what is kept.
	// It returns the same for a base in which less has been removed from this part.
	Edit func(base C, kept []int) C
	// Done returns the task that follows when the search has ended, nil if none
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

// open is a task with its search, as far as it has come.
type open[C, W any] struct {
	*Task[C, W]
	progress
	changed bool // in this round
}

// ask returns the step that asks a question of the task's list, for which c is base
// as it would be.
func (t open[C, W]) ask(base, c C, s *step, next func(algo.Outcome) *algo.Step[C]) *algo.Step[C] {
	about := &algo.Question{List: &t.List, Left: t.list(), Kept: s.Candidate}
	edit := func(kept []int) C { return t.Edit(base, kept) }
	return &algo.Step[C]{Candidate: c, Next: next, About: about, Edit: edit, Chance: s.Chance}
}
