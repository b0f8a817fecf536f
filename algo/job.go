package algo

// A Job is a list search as a part of a larger search over candidates of type
// C: drivers are chains of jobs.
type Job[C any] struct {
	// List is the search; nil if there is nothing to ask.
	List *Step[[]int]
	// Kept is the list that the search starts from.
	Kept []int
	// Lift makes a candidate of the kept items, or says that there is none
	// worth testing; the search is then told Unresolved.
	Lift func(kept []int) (C, bool)
	// Done gives the job that follows when the search has ended with kept,
	// nil if none does.
	Done func(kept []int) *Job[C]
}

// Run makes one search of a chain of jobs. Jobs are built when the one before
// is done, on every path of outcomes that somebody follows.
func Run[C any](j *Job[C]) *Step[C] {
	for ; j != nil; j = j.Done(j.Kept) {
		for list := j.List; list != nil; list = list.Next(Unresolved) {
			candidate, ok := j.Lift(list.Candidate)
			if !ok {
				continue
			}
			job, list := *j, list
			return &Step[C]{Candidate: candidate, Next: func(o Outcome) *Step[C] {
				next := job
				if o == Interesting {
					next.Kept = list.Candidate
				}
				next.List = list.Next(o)
				return Run(&next)
			}}
		}
	}
	return nil
}

// First is the search for the first choice among 0..n-1 that is interesting:
// its candidates are lists of one.
func First(n int) *Step[[]int] { return choose(0, n) }

func choose(i, n int) *Step[[]int] {
	if i >= n {
		return nil
	}
	return &Step[[]int]{Candidate: []int{i}, Next: func(o Outcome) *Step[[]int] {
		if o == Interesting {
			return nil
		}
		return choose(i+1, n)
	}}
}

// EmptyFirst asks for the empty list before it begins the search.
func EmptyFirst(search *Step[[]int]) *Step[[]int] {
	return &Step[[]int]{Candidate: []int{}, Next: func(o Outcome) *Step[[]int] {
		if o == Interesting {
			return nil
		}
		return search
	}}
}
