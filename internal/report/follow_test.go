package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
)

// Courses have the first and last of many steps, and the last diffs.
func TestFollower(t *testing.T) {
	const steps = 20_000
	file := []byte(strings.Repeat("line\n", 3))
	f := NewFollower(append([]byte("first\n"), file...), steps)
	for i := range steps {
		best := parse.Measure{Tokens: steps - 1 - i, File: fmt.Appendf(nil, "%d\n%s", i, file)}
		f.Improved(best)
		d := whittle.Decision{Pass: "words", Best: best.Tokens, Accepted: true, Tests: 2*i + 1,
			Answer: oracle.Answer{Outcome: algo.Interesting}}
		f.Decided(d)
		d.Accepted, d.Tests = false, 2*i+2
		f.Decided(d)
	}
	c := f.Course()
	n := len(c.Steps)
	if n > mostSteps+1 || n < mostSteps/2 || c.Steps[0].Tokens != steps || c.Steps[n-1].Tokens != 0 || c.Tests != 2*steps {
		t.Errorf("%d steps from %+v to %+v, %d tests", n, c.Steps[0], c.Steps[n-1], c.Tests)
	}
	for i, s := range c.Steps[1:] {
		if s.Tokens > c.Steps[i].Tokens || s.Tests < c.Steps[i].Tests || s.After < c.Steps[i].After {
			t.Fatalf("step %d is %+v after %+v", i+1, s, c.Steps[i])
		}
	}
	last := c.Last[len(c.Last)-1]
	if len(c.Last) != lastSteps || last.Before != 1 || last.Tokens != 0 || last.Pass != "words" ||
		last.Diff != "@@ -1,3 +1,3 @@\n-19998\n+19999\n line\n line\n" {
		t.Errorf("%d last steps, and the last is %+v", len(c.Last), last)
	}
}

// Long files have no diff.
func TestFollowerLong(t *testing.T) {
	long := bytes.Repeat([]byte("x"), mostToDiff)
	f := NewFollower(long, 2)
	f.Improved(parse.Measure{Tokens: 1, File: long[1:]})
	f.Decided(whittle.Decision{Best: 1, Accepted: true, Tests: 1})
	if c := f.Course(); len(c.Last) != 1 || !c.Last[0].Long || c.Last[0].Tests != 1 {
		t.Errorf("%d last steps", len(c.Last))
	}
}
