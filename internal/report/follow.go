package report

import (
	"slices"
	"time"

	"whittle"
	"whittle/internal/diff"
	"whittle/parse"
)

const (
	mostSteps  = 4096
	lastSteps  = 10
	mostToDiff = 512 << 10 // bytes
)

// A Follower records a reduction's progress for a report, in bounded memory.
type Follower struct {
	began  time.Time
	steps  []Step
	stride int // one in stride is kept
	seen   int
	tests  int
	best   parse.Measure
	last   []accepted
}

// accepted is a step with its files.
type accepted struct {
	Step
	before, after parse.Measure
}

func NewFollower(input []byte, tokens int) *Follower {
	f := &Follower{began: time.Now(), stride: 1}
	f.best = parse.Measure{Tokens: tokens, File: input}
	f.steps = []Step{{Tokens: tokens}}
	return f
}

// Improved records a better file, or the return to an earlier one.
func (f *Follower) Improved(best parse.Measure) {
	back := Step{Pass: "back to an earlier file", Tests: f.tests, Tokens: best.Tokens}
	f.last = append(f.last, accepted{Step: back, before: f.best, after: best})
	if len(f.last) > lastSteps {
		f.last = slices.Delete(f.last, 0, 1)
	}
	f.best = best
}

// Decided records a candidate, after Improved if it is accepted.
func (f *Follower) Decided(d whittle.Decision) {
	f.tests = d.Tests
	if !d.Accepted {
		return
	}
	s := Step{Pass: d.Pass, Tests: d.Tests, After: time.Since(f.began), Tokens: d.Best}
	if n := len(f.last); n > 0 {
		f.last[n-1].Step = s
	}
	if f.seen++; f.seen%f.stride == 0 {
		f.steps = append(f.steps, s)
	}
	if len(f.steps) > mostSteps {
		for i := range f.steps[:len(f.steps)/2] {
			f.steps[i] = f.steps[2*i]
		}
		f.steps = f.steps[:len(f.steps)/2]
		f.stride *= 2
	}
}

// Course returns the progress until now; nil without a Follower.
func (f *Follower) Course() *Course {
	if f == nil {
		return nil
	}
	course := &Course{Steps: slices.Clone(f.steps), Tests: f.tests, Elapsed: time.Since(f.began)}
	end := Step{Tests: f.tests, After: course.Elapsed, Tokens: f.best.Tokens}
	course.Steps = append(course.Steps, end)
	for _, a := range f.last {
		change := Change{Step: a.Step, Before: a.before.Tokens}
		change.Tokens = a.after.Tokens
		if change.Long = len(a.before.File)+len(a.after.File) > mostToDiff; !change.Long {
			change.Diff = diff.Hunks(a.before.File, a.after.File)
		}
		course.Last = append(course.Last, change)
	}
	return course
}
