package run

import (
	"slices"
	"strings"
	"time"

	"whittle"
	"whittle/internal/diff"
	"whittle/internal/report"
	"whittle/parse"
)

const (
	mostSteps   = 4096      // that a course keeps
	lastSteps   = 10        // that are kept with their files
	mostToDiff  = 512 << 10 // bytes of such a file
	diffContext = 2
)

// A Follower follows a reduction, in bounded memory. Its methods are what
// [whittle.Options] wants; they are called one after the other.
type Follower struct {
	began  time.Time
	steps  []report.Step
	stride int // of the steps that are accepted one in so many is kept
	seen   int
	tests  int
	best   parse.Measure
	last   []accepted
}

// accepted is a step with the files around it.
type accepted struct {
	report.Step
	before, after parse.Measure
}

// NewFollower begins with the input.
func NewFollower(input []byte, tokens int) *Follower {
	c := &Follower{began: time.Now(), stride: 1}
	c.best = parse.Measure{Tokens: tokens, File: input}
	c.steps = []report.Step{{Tokens: tokens}}
	return c
}

// Improved is told of each better file, and of one that the reduction goes back to.
func (c *Follower) Improved(best parse.Measure) {
	back := report.Step{Pass: "back to an earlier file", Tests: c.tests, Tokens: best.Tokens}
	c.last = append(c.last, accepted{Step: back, before: c.best, after: best})
	if len(c.last) > lastSteps {
		c.last = slices.Delete(c.last, 0, 1)
	}
	c.best = best
}

// Decided is told of each candidate, after Improved.
func (c *Follower) Decided(d whittle.Decision) {
	c.tests = d.Tests
	if !d.Accepted {
		return
	}
	s := report.Step{Pass: d.Pass, Tests: d.Tests, After: time.Since(c.began), Tokens: d.Best}
	if n := len(c.last); n > 0 {
		c.last[n-1].Step = s
	}
	if c.seen++; c.seen%c.stride == 0 {
		c.steps = append(c.steps, s)
	}
	if len(c.steps) > mostSteps {
		for i := range c.steps[:len(c.steps)/2] {
			c.steps[i] = c.steps[2*i]
		}
		c.steps = c.steps[:len(c.steps)/2]
		c.stride *= 2
	}
}

// Course returns the course until now.
func (c *Follower) Course() *report.Course {
	course := &report.Course{Steps: slices.Clone(c.steps), Tests: c.tests, Elapsed: time.Since(c.began)}
	end := report.Step{Tests: c.tests, After: course.Elapsed, Tokens: c.best.Tokens}
	course.Steps = append(course.Steps, end)
	for _, a := range c.last {
		change := report.Change{Step: a.Step, Before: a.before.Tokens}
		change.Tokens = a.after.Tokens
		if change.Long = len(a.before.File)+len(a.after.File) > mostToDiff; !change.Long {
			change.Diff = hunks(string(a.before.File), string(a.after.File))
		}
		course.Last = append(course.Last, change)
	}
	return course
}

// hunks returns a unified diff without its head.
func hunks(before, after string) string {
	_, text, _ := strings.Cut(diff.Unified("", "", before, after, diffContext), "\n")
	_, text, _ = strings.Cut(text, "\n")
	return text
}
