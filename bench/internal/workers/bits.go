package workers

import (
	"math"

	"whittle"
	"whittle/algo"
)

// Bits is the information in the answers to the questions of a run: of those that a test
// was run for, in order.
//
// A search guesses each question before it is answered; see [whittle/oracle.Answer]. With
// the chance p an answer gives -log2(p) bits if it is yes and -log2(1-p) if it is not, and
// is expected to give H(p). The sum is the length of the code by which somebody with the
// same guesses could be told the course of the run, and so the least number of answers of
// yes or no by which that course is told apart from others, as far as the guesses are right.
type Bits struct {
	Told     float64 // by the answers as they came out
	Expected float64
	Tests    int
	Proof    int // tests behind the last that took tokens away: that nothing else can go

	least int // tokens
}

// add adds the answer to a question.
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
		b.Told -= math.Log2(p)
	} else {
		b.Told -= math.Log2(1 - p)
	}
}

// surest is the least chance that a guess is taken for.
const surest = 0.001

// Independent is the least number of steps that so many workers need for as much
// information, if each test of a step tells a bit that no other tells.
func (b Bits) Independent(workers int) float64 { return b.Told / float64(workers) }

// Ahead is the least number of steps, in the mean, of a search that asks one question
// after the other, each depending on the answer to the last, and looks ahead: the tests of
// a step are nodes of the tree of what may be asked, and the answers lead out of it at one
// of workers + 1 places, which tells that many bits.
func (b Bits) Ahead(workers int) float64 { return b.Told / math.Log2(float64(workers)+1) }
