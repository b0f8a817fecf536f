package algo

import "slices"

// progress is a list search on its way.
type progress struct {
	next  *step
	kept  []int // what the search has come to; nil if that is where it began
	items int   // 0 if the candidates are choices, which exclude each other
	calm  int   // answers since the last success
}

// told is the progress after an answer to its next question.
func (p progress) told(o Outcome) progress {
	p.calm++
	if o == Interesting {
		p.kept, p.calm = p.next.Candidate, 0
	}
	p.next = p.next.Next(o)
	return p
}

func (p progress) list() []int {
	if p.kept == nil {
		return all(p.items)
	}
	return p.kept
}

// batch gives the next questions of the search that do not depend on each other,
// at most width: those that it asks as long as all are uninteresting, up to the
// first that would remove an item for the second time.
//
//	a b c d e f g h      probdd asks without a b, c d, e f, g h,
//	---                  whichever of them can go, then
//	    ---              a, which depends on the first answer
//	        ---
//	            ---
func (p progress) batch(width int) [][]int {
	batch := [][]int{p.next.Candidate}
	if p.items == 0 || width == 1 {
		return batch
	}
	list := p.list()
	removed := make([]bool, p.items)
	for s := p.next; ; batch = append(batch, s.Candidate) {
		for _, item := range complement(list, s.Candidate) {
			removed[item] = true
		}
		if len(batch) == width {
			return batch
		}
		s = s.Next(Uninteresting)
		if s == nil || slices.ContainsFunc(complement(list, s.Candidate), func(item int) bool { return removed[item] }) {
			return batch
		}
	}
}

// complement gives the items of the list that are not in the part. Both ascend.
func complement(list, part []int) []int {
	rest := make([]int, 0, len(list)-len(part))
	for _, item := range list {
		if len(part) > 0 && part[0] == item {
			part = part[1:]
			continue
		}
		rest = append(rest, item)
	}
	return rest
}

// replay tells the search the outcomes of a batch as it asks for them: what it
// wants removed after a success is what the batch removed from all. It also
// gives the successes that it took.
func (p progress) replay(batch [][]int, outcomes []Outcome) (after progress, taken []int) {
	list := p.list()
	byFirst := map[int]int{} // the first item that is removed tells them apart
	for i, kept := range batch {
		byFirst[complement(list, kept)[0]] = i
	}
	for after = p; after.next != nil; {
		gone := complement(after.list(), after.next.Candidate)
		i, known := byFirst[gone[0]]
		if !known || !slices.Equal(gone, complement(list, batch[i])) {
			break
		}
		delete(byFirst, gone[0])
		if outcomes[i] == Interesting {
			taken = append(taken, i)
		}
		after = after.told(outcomes[i])
	}
	return after, taken
}
