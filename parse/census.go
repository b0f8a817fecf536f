package parse

import "hash/fnv"

// A Census knows a candidate by its texts, and where its words stand, so that a question
// about one tree is known again in another that has been read since. What it knows
// something by is a number, which two have in common by accident only.
type Census struct {
	c      *Candidate
	front  []uint64          // the live text in front of each token, and of all
	alive  []int             // the number of live tokens before each word of live, and of all
	count  map[string]int    // of the places in which a word stands
	around map[string]uint64 // the texts of what is around these, their sum
}

// NewCensus returns the census of a candidate.
func NewCensus(c *Candidate) *Census {
	n := len(c.tree.Tokens)
	s := &Census{c: c, front: make([]uint64, n+1), count: map[string]int{}, around: map[string]uint64{}}
	for i := range n {
		s.front[i+1] = s.front[i]
		if c.live.has(i) {
			h := fnv.New64a()
			h.Write(c.tokenText(i))
			s.front[i+1] = mix(s.front[i], h.Sum64())
		}
	}
	s.alive = c.live.sums(nil)
	s.add(0, nil)
	return s
}

// Of returns the candidate.
func (s *Census) Of() *Candidate { return s.c }

// add adds the words below n, and returns those of which it is not known yet what is
// around them: the innermost node that may go and has children, or the whole.
func (s *Census) add(n int32, open []string) []string {
	t, first := s.c.tree, len(open)
	if words := s.words(n); words != nil {
		for _, w := range words {
			s.count[w]++
		}
		return append(open, words...)
	}
	for m := n + 1; m < t.Nodes[n].Next; m = t.Nodes[m].Next {
		open = s.add(m, open)
	}
	if n > 0 && !t.Nodes[n].Slot.Droppable() {
		return open
	}
	text := s.text(int(t.Nodes[n].First), int(t.Nodes[n].Last)) // once, as there may be as many words as tokens
	for _, w := range open[first:] {
		s.around[w] += text
	}
	return open[:first]
}

// words returns the words in a live leaf whose text is not fixed.
func (s *Census) words(n int32) []string {
	if t := s.c.tree; !t.IsLeaf(n) || !t.Nodes[n].Named || !s.c.Live(n) {
		return nil
	}
	return Words(s.c.TextOf(n))
}

// Row returns what a row of siblings is known by: its text, and the tokens beside it.
func (s *Census) Row(siblings ...int32) uint64 {
	from, to := s.c.tree.rangeOf(siblings)
	before := max(s.c.live.last(0, from), 0)
	behind := min(s.c.live.next(to, len(s.c.tree.Tokens))+1, len(s.c.tree.Tokens))
	return mix(s.text(before, behind), s.text(from, to))
}

// Replacement returns what putting a row of nodes below n in its place is known by.
func (s *Census) Replacement(n int32, row ...int32) uint64 {
	t := s.c.tree
	from, to := t.rangeOf(row)
	start := int(t.Nodes[n].First)
	return mix(mix(s.Row(n), s.text(start, from)), s.text(from, to))
}

// Counts returns what is known by in how many places each word below n stands.
func (s *Census) Counts(n int32) uint64 {
	return s.eachWord(n, func(w string) uint64 { return uint64(s.count[w]) })
}

// Around returns what all that is around the words below n is known by, wherever they
// stand.
func (s *Census) Around(n int32) uint64 {
	return s.eachWord(n, func(w string) uint64 { return s.around[w] })
}

func (s *Census) eachWord(n int32, of func(word string) uint64) (known uint64) {
	for m := n; m < s.c.tree.Nodes[n].Next; m++ {
		for _, w := range s.words(m) {
			known = mix(known, of(w))
		}
	}
	return known
}

// text returns what the live tokens in [from, to) are known by.
func (s *Census) text(from, to int) uint64 {
	power, p := uint64(1), uint64(prime)
	count := s.alive[to/64] - s.alive[from/64] + s.c.live.count(to/64*64, to) - s.c.live.count(from/64*64, from)
	for n := count; n > 0; n >>= 1 {
		if n&1 != 0 {
			power *= p
		}
		p *= p
	}
	return s.front[to] - s.front[from]*power
}

// prime is odd and has bits everywhere.
const prime = 0x9e3779b97f4a7c15

// mix returns what a row is known by to which one more is added.
func mix(row, next uint64) uint64 { return row*prime + next }
