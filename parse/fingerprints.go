package parse

import "hash/fnv"

// Fingerprints identify parts of a candidate by 64-bit hashes, to recognise a question about an earlier tree.
type Fingerprints struct {
	c      *Candidate
	front  []uint64          // hash of the live text before each token, and of all
	alive  []int             // number of live tokens before each word of the live set, and of all
	count  map[string]int    // occurrences of each word
	around map[string]uint64 // sum of the hashes of the contexts of each word
}

// NewFingerprints returns the fingerprints of c.
func NewFingerprints(c *Candidate) *Fingerprints {
	n := len(c.tree.Tokens)
	s := &Fingerprints{c: c, front: make([]uint64, n+1), count: map[string]int{}, around: map[string]uint64{}}
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

func (s *Fingerprints) Of() *Candidate { return s.c }

// add records the words below n, and appends those without a known context to open. A context is the innermost
// droppable node with children, or the whole file.
func (s *Fingerprints) add(n int32, open []string) []string {
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
	text := s.text(int(t.Nodes[n].First), int(t.Nodes[n].Last)) // hashed once for all words of the node
	for _, w := range open[first:] {
		s.around[w] += text
	}
	return open[:first]
}

func (s *Fingerprints) words(n int32) []string {
	if t := s.c.tree; !t.IsLeaf(n) || !t.Nodes[n].Named || !s.c.Live(n) {
		return nil
	}
	return Words(s.c.TextOf(n))
}

// Siblings hashes the text of siblings and the tokens next to them.
func (s *Fingerprints) Siblings(siblings ...int32) uint64 {
	from, to := s.c.tree.rangeOf(siblings)
	before := max(s.c.live.last(0, from), 0)
	behind := min(s.c.live.next(to, len(s.c.tree.Tokens))+1, len(s.c.tree.Tokens))
	return mix(s.text(before, behind), s.text(from, to))
}

// Replacement hashes the replacement of n by siblings below it.
func (s *Fingerprints) Replacement(n int32, run ...int32) uint64 {
	t := s.c.tree
	from, to := t.rangeOf(run)
	start := int(t.Nodes[n].First)
	return mix(mix(s.Siblings(n), s.text(start, from)), s.text(from, to))
}

// Without hashes the text of n without its descendant below, or the whole text if below is n.
func (s *Fingerprints) Without(n, below int32) uint64 {
	from, to := s.c.tree.rangeOf([]int32{n})
	start, end := s.c.tree.rangeOf([]int32{below})
	if n == below {
		return s.text(from, to)
	}
	return mix(s.text(from, start), s.text(end, to))
}

// Counts hashes the number of occurrences of each word below n.
func (s *Fingerprints) Counts(n int32) uint64 {
	return s.eachWord(n, func(w string) uint64 { return uint64(s.count[w]) })
}

// Contexts hashes the contexts of the words below n, at all their occurrences.
func (s *Fingerprints) Contexts(n int32) uint64 {
	return s.eachWord(n, func(w string) uint64 { return s.around[w] })
}

func (s *Fingerprints) eachWord(n int32, of func(word string) uint64) (known uint64) {
	for m := n; m < s.c.tree.Nodes[n].Next; m++ {
		for _, w := range s.words(m) {
			known = mix(known, of(w))
		}
	}
	return known
}

func (s *Fingerprints) text(from, to int) uint64 {
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

const prime = 0x9e3779b97f4a7c15

func mix(hash, next uint64) uint64 { return hash*prime + next }
