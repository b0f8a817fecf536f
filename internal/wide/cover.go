package wide

import (
	"container/heap"

	"whittle/parse"
)

// cover chooses the questions with the highest gain after the expected removals of those before.
// It stops when the gain is less than worth times their average.
func cover(base *parse.Candidate, questions []question, most int, worth float64) (chosen []question) {
	left := make([]float64, len(base.Tree().Tokens)) // probability that a token is still there
	for i := range left {
		left[i] = 1
	}
	sum := 0.0
	c := covering{questions: questions}
	for i := range questions {
		c.list = append(c.list, entry{i, questions[i].expectedGain(), 0})
	}
	heap.Init(&c)
	for len(chosen) < most && len(c.list) > 0 {
		e := &c.list[0]
		q := &questions[e.question]
		if e.round < len(chosen) {
			taken, there := 0.0, 0.0
			for i := range q.candidate.Gone() {
				taken++
				there += left[i]
			}
			e.round = len(chosen)
			if taken > 0 {
				e.gain = q.expectedGain() * there / taken
			}
			heap.Fix(&c, 0)
			continue
		}
		if e.gain*float64(len(chosen)) < worth*sum {
			break
		}
		sum += e.gain
		chosen = append(chosen, *q)
		for i := range q.candidate.Gone() {
			left[i] *= 1 - q.chance
		}
		heap.Pop(&c)
	}
	return chosen
}

type entry struct {
	question int
	gain     float64
	round    int
}

// covering is a heap: the highest gain first, then the earlier.
type covering struct {
	questions []question
	list      []entry
}

func (c *covering) Len() int { return len(c.list) }
func (c *covering) Less(i, j int) bool {
	a, b := &c.list[i], &c.list[j]
	if a.gain != b.gain {
		return a.gain > b.gain
	}
	return a.question < b.question
}
func (c *covering) Swap(i, j int) { c.list[i], c.list[j] = c.list[j], c.list[i] }
func (c *covering) Push(x any)    { c.list = append(c.list, x.(entry)) }
func (c *covering) Pop() any {
	last := len(c.list) - 1
	x := c.list[last]
	c.list = c.list[:last]
	return x
}
