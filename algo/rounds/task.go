package rounds

import "whittle/algo"

// A Task searches one list, in a part of a whole of type C. Tasks that run at the same time are about different parts,
// so that their edits can be combined. W holds the waiting tasks.
type Task[C, W any] struct {
	// Weight of the part; 0 if irrelevant.
	Weight int
	List   algo.List
	// Edit returns base with only the kept items in the part. base may have more of the part; the result is the same.
	Edit func(base C, kept []int) C
	// Done returns the next task after the search, or nil, and the waiting tasks. base has only the kept items; kept is
	// nil if nothing changed. A nil Done means no next task.
	Done func(base C, kept []int, waiting W) (*Task[C, W], W)
}

func (t *Task[C, W]) done(base C, kept []int, waiting W) (*Task[C, W], W) {
	if t.Done == nil {
		return nil, waiting
	}
	return t.Done(base, kept, waiting)
}

type open[C, W any] struct {
	*Task[C, W]
	progress
	changed bool   // in this round
	policy  Policy // at the start of the round
	// Candidates of this round, as in [Policy].
	explained, silent, accepted int
}

func (t open[C, W]) ask(base, c C, s *step, next func(algo.Outcome) *algo.Step[C]) *algo.Step[C] {
	about := &algo.Question{List: &t.List, Left: t.list(), Kept: s.Candidate}
	edit := func(kept []int) C { return t.Edit(base, kept) }
	return &algo.Step[C]{Candidate: c, Next: next, About: about, Edit: edit, Chance: s.Chance,
		Learned: func() any { return t.policy }}
}

// isLight reports whether the question removes one item, of at most 1/32 of the whole. The failure of a larger removal
// has other causes than a name.
func (t open[C, W]) isLight(s *step) bool {
	if t.items == 0 {
		return false
	}
	gone := algo.Without(t.list(), s.Candidate)
	return len(gone) == 1 && 32*t.List.Weights[gone[0]] <= t.List.Whole
}
