package rounds

import (
	"slices"

	"whittle/algo"
)

type progress struct {
	next         *step
	kept         []int // the current result; nil for the whole list
	items        int   // 0 if the items are choices, which exclude each other
	sinceSuccess int   // answers since the last success
}

func progressOf(search *step, l *algo.List) progress {
	p := progress{next: search}
	if l.Mode != algo.Choices {
		p.items = len(l.Weights)
	}
	return p
}

func (p progress) answered(o algo.Outcome) progress {
	p.sinceSuccess++
	if o == algo.Interesting {
		p.kept, p.sinceSuccess = p.next.Candidate, 0
		if p.kept == nil {
			p.kept = []int{} // all removed, but not nil
		}
	}
	p.next = p.next.Next(o)
	return p
}

func (p progress) list() []int {
	if p.kept == nil {
		return algo.All(p.items)
	}
	return p.kept
}

// batch returns at most width independent questions: the questions that follow uninteresting outcomes, up to the first
// that removes an item for the second time.
//
//	a b c d e f g h      probdd asks without a b, c d, e f, g h,
//	---                  whatever the outcomes, then
//	    ---              a, which depends on the first answer
//	        ---
//	            ---
func (p progress) batch(width int) []*step {
	if p.items == 0 || width == 1 {
		return []*step{p.next}
	}
	var batch []*step
	list, removed := p.list(), make([]bool, p.items)
	for s := p.next; !s.Ended() && len(batch) < width; s = s.Next(algo.Uninteresting) {
		gone := algo.Without(list, s.Candidate)
		if slices.ContainsFunc(gone, func(item int) bool { return removed[item] }) {
			break
		}
		for _, item := range gone {
			removed[item] = true
		}
		batch = append(batch, s)
	}
	return batch
}

func (p progress) without(batch []*step, some []int) []int {
	list := p.list()
	kept := list
	for _, i := range some {
		kept = algo.Without(kept, algo.Without(list, batch[i].Candidate))
	}
	return kept
}

// replay answers the search from the outcomes of a batch. After a success, it removes the same items from a smaller
// list than the batch did. taken are the successes that it asked for.
func (p progress) replay(batch []*step, outcomes []algo.Outcome) (after progress, taken []int) {
	list := p.list()
	byFirst := map[int]int{} // batches are disjoint, so the first removed item identifies the question
	for i, s := range batch {
		byFirst[algo.Without(list, s.Candidate)[0]] = i
	}
	for after = p; !after.next.Ended(); {
		gone := algo.Without(after.list(), after.next.Candidate)
		i, known := byFirst[gone[0]]
		if !known || !slices.Equal(gone, algo.Without(list, batch[i].Candidate)) {
			break
		}
		delete(byFirst, gone[0])
		if outcomes[i] == algo.Interesting {
			taken = append(taken, i)
		}
		after = after.answered(outcomes[i])
	}
	return after, taken
}
