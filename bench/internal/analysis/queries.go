package analysis

import (
	"encoding/binary"
	"hash/fnv"

	"whittle/algo"
	"whittle/oracle"
)

// Queries counts the tests of list algorithms in the classes of the CDD paper, §IV-F. Complements
// keep less than half of the list. Revisits repeat an attempted removal from the same list. Empty
// is the empty list, which drivers test first. Cached outcomes do not count.
type Queries struct {
	Complement Tally `json:"complement"`
	Revisit    Tally `json:"revisit"`
	Other      Tally `json:"other"`
	Empty      Tally `json:"empty"`
}

// A Tally counts tests and successful tests.
type Tally struct {
	Tests     int `json:"tests"`
	Successes int `json:"successes"`
}

func (q *Queries) add(c *call, about *algo.Question, a oracle.Answer, first bool) {
	gone := fingerprint(algo.Without(about.Left, about.Kept))
	again := c.tried[gone]
	c.tried[gone] = true
	if a.Cached {
		return
	}
	t := &q.Other
	switch {
	case first && len(about.Kept) == 0:
		t = &q.Empty
	case 2*len(about.Kept) < len(about.Left):
		t = &q.Complement
	case again:
		t = &q.Revisit
	}
	t.Tests++
	if a.Outcome == algo.Interesting {
		t.Successes++
	}
}

func (t *Tally) Join(o Tally) {
	t.Tests += o.Tests
	t.Successes += o.Successes
}

// fingerprint returns a hash of a set of items.
func fingerprint(items []int) uint64 {
	h := fnv.New64a()
	var b [4]byte
	for _, item := range items {
		binary.LittleEndian.PutUint32(b[:], uint32(item))
		h.Write(b[:])
	}
	return h.Sum64()
}
