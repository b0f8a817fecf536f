package workers

import (
	"math"

	"whittle"
	"whittle/algo"
)

// Bits is the information in the answers to questions that needed a test.
//
// A search estimates the probability p of yes before each question; see [whittle/oracle.Answer]. A
// yes gives -log2(p) bits and a no gives -log2(1-p); the entropy H(p) is expected. If the
// estimates are right, the sum is a lower bound for the yes-or-no answers that identify the run.
type Bits struct {
	Actual   float64 // of the answers
	Expected float64 // entropy
	Tests    int
	Proof    int // tests after the last removal of tokens, which prove minimality

	least int // fewest tokens so far
}

func (b *Bits) add(d whittle.Decision) {
	if !d.Cached {
		b.Tests++
		b.Proof++
	}
	if d.Accepted {
		if d.Tokens < b.least || b.least == 0 {
			b.least, b.Proof = d.Tokens, 0
		}
	}
	if d.Cached {
		return
	}
	p := min(max(d.Chance, surest), 1-surest)
	b.Expected += -p*math.Log2(p) - (1-p)*math.Log2(1-p)
	if d.Outcome == algo.Interesting {
		b.Actual -= math.Log2(p)
	} else {
		b.Actual -= math.Log2(1 - p)
	}
}

// surest limits probabilities to [surest, 1-surest].
const surest = 0.001

// Independent returns a lower bound for the number of steps, if the tests of a step are
// independent and give one bit each.
func (b Bits) Independent(workers int) float64 { return b.Actual / float64(workers) }

// Ahead returns a lower bound for the expected steps of a sequential search that looks ahead. The
// tests of a step are nodes of the tree of questions. The answers lead to one of workers + 1
// exits, which gives log2(workers+1) bits.
func (b Bits) Ahead(workers int) float64 { return b.Actual / math.Log2(float64(workers)+1) }
