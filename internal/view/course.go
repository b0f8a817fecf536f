package view

import (
	"slices"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
)

// A Course collects the progress of a reduction. It is safe for concurrent use.
type Course struct {
	mu sync.Mutex
	s  state
}

// A state is a snapshot of a course. Its slices are immutable.
type state struct {
	now, began time.Time
	input      string // name of the input
	output     string
	how        string // language and driver
	seeks      string // the failure, in one line; "" if unknown
	doing      string // the activity before the first pass

	tokens, atAll int
	bytes         int
	tests         int // including tests of an earlier run
	replayed      int
	sizes         []size
	succeeded     time.Time // the last success, or zero
	best, before  []byte    // the best file and the previous one

	passes    []row
	turns     []turn
	passing   bool      // the last turn has not ended
	passBegan time.Time // start of the last turn
	kind      string    // kind of the last question
	talk      []string

	maxTime time.Duration // 0 is no limit
	jobs    int
	load    chain.Load
	paused  bool
	stopped bool // by the user
}

// A size is the size of the best file at a time.
type size struct {
	at     time.Duration // since the start
	tokens int
}

// A row sums up all turns of a pass.
type row struct {
	name    string
	turns   int
	tests   int
	removed int // tokens
	took    time.Duration
	skipped bool
}

// A turn is one run of a pass.
type turn struct {
	pass     string
	tokens   int           // of the file at the start
	took     time.Duration // 0 while it runs
	replayed bool          // the journal answered some of its tests
}

// NewCourse returns the course of a reduction that starts now. A maxTime of 0 means no limit.
func NewCourse(input, output string, jobs int, maxTime time.Duration) *Course {
	return &Course{s: state{
		began: time.Now(), input: input, output: output, jobs: jobs, maxTime: maxTime,
		doing: "testing " + input,
	}}
}

// Does sets the activity that is shown while no pass runs.
func (c *Course) Does(doing, how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.doing, c.s.how = doing, how
}

// Seeks sets the line that describes the failure.
func (c *Course) Seeks(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.seeks = line
}

// Say adds a message.
func (c *Course) Say(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.talk = append(c.s.talk, line)
}

// Talk returns the messages.
func (c *Course) Talk() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.s.talk)
}

// Observe receives the events of a reduction.
func (c *Course) Observe(e whittle.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := e.(type) {
	case whittle.PassBegan:
		c.began(e.Name)
	case whittle.Decision:
		c.decided(e)
	case whittle.PassResult:
		c.ended(e)
	}
}

func (c *Course) began(pass string) {
	c.s.passing, c.s.passBegan, c.s.kind = true, time.Now(), ""
	c.s.turns = append(c.s.turns, turn{pass: pass, tokens: c.s.tokens})
	c.row(pass).turns++
}

func (c *Course) ended(p whittle.PassResult) {
	took := max(time.Since(c.s.passBegan), 1) // includes preparation
	c.turn().took = took
	r := c.row(p.Name)
	r.took += took
	r.skipped = r.skipped || p.Skipped
	c.s.passing, c.s.doing = false, "testing the result again"
}

// turn returns the last turn, to modify it.
func (c *Course) turn() *turn {
	c.s.turns = slices.Clone(c.s.turns)
	return &c.s.turns[len(c.s.turns)-1]
}

// row returns the row of a pass, to modify it.
func (c *Course) row(pass string) *row {
	c.s.passes = slices.Clone(c.s.passes)
	i := slices.IndexFunc(c.s.passes, func(r row) bool { return r.name == pass })
	if i < 0 {
		i = len(c.s.passes)
		c.s.passes = append(c.s.passes, row{name: pass})
	}
	return &c.s.passes[i]
}

func (c *Course) decided(d whittle.Decision) {
	s, now := &c.s, time.Now()
	removed := 0
	if s.atAll == 0 {
		s.sizes = []size{{0, d.AtAll}}
		s.tokens, s.best = d.AtAll, d.Base
	}
	if d.Accepted {
		removed = s.tokens - d.Best
		s.before, s.best = d.Base, d.File
		s.succeeded = now
		s.sizes = thinned(append(s.sizes, size{now.Sub(s.began), d.Best}))
	}
	s.atAll, s.tokens, s.bytes, s.tests = d.AtAll, d.Best, d.BestBytes, d.Tests
	if d.About != nil {
		s.kind = d.About.Kind()
	}
	r := c.row(d.Pass)
	r.removed += removed
	switch {
	case d.Replayed:
		s.replayed++
		c.turn().replayed = true
	case !d.Cached:
		r.tests++
	}
}

// mostSizes bounds the history of sizes.
const mostSizes = 4096

// thinned drops every second size if there are too many.
func thinned(sizes []size) []size {
	if len(sizes) < mostSizes {
		return sizes
	}
	var kept []size
	for i := 0; i < len(sizes); i += 2 {
		kept = append(kept, sizes[i])
	}
	return kept
}

func (c *Course) steered(paused, stopped bool, jobs int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.paused, c.s.stopped, c.s.jobs = paused, stopped, jobs
}

// state returns a snapshot.
func (c *Course) state() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.s
	s.now = time.Now()
	return s
}
