package view

import (
	"slices"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
)

// A Course is what is known of a reduction while it runs. Its methods may be called from
// any goroutine.
type Course struct {
	mu sync.Mutex
	s  state
}

// A state is a course at one time. What its slices hold does not change any more.
type state struct {
	now, began time.Time
	input      string // its name
	output     string
	how        string // it is read and reduced
	seeks      string // which failure, one line; "" if it is not known
	doing      string // before the first pass

	tokens, atAll int
	bytes         int
	tests         int // with those that an earlier run had done
	replayed      int
	sizes         []size
	succeeded     time.Time // last; zero for never
	best, before  []byte    // the best file, and the one before that

	passes    []row
	turns     []turn
	passing   bool      // the last turn has not ended
	passBegan time.Time // it
	kind      string    // of what was asked last
	talk      []string

	maxTime time.Duration // 0 is no limit
	jobs    int
	load    chain.Load
	paused  bool
	stopped bool // by the user
}

// A size is what the file had at a time.
type size struct {
	at     time.Duration // since the beginning
	tokens int
}

// A row is what all turns of a pass came to.
type row struct {
	name    string
	turns   int
	tests   int
	removed int // tokens
	took    time.Duration
	skipped bool
}

// A turn is one of a pass, with the tokens of the file when it began.
type turn struct {
	pass     string
	tokens   int
	took     time.Duration // 0 while it runs
	replayed bool          // an earlier run had done some of its tests
}

// NewCourse returns the course of a reduction that begins now. It has maxTime, 0 for no
// limit.
func NewCourse(input, output string, jobs int, maxTime time.Duration) *Course {
	return &Course{s: state{
		began: time.Now(), input: input, output: output, jobs: jobs, maxTime: maxTime,
		doing: "testing " + input + " as it is",
	}}
}

// Does says what is being done as long as no pass runs.
func (c *Course) Does(doing, how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.doing, c.s.how = doing, how
}

// Seeks says in a line which failure is looked for.
func (c *Course) Seeks(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.seeks = line
}

// Say adds a line of talk.
func (c *Course) Say(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.talk = append(c.s.talk, line)
}

// Talk returns the lines.
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
	took := max(time.Since(c.s.passBegan), 1) // with what was made ready for it
	c.turn().took = took
	r := c.row(p.Name)
	r.took += took
	r.skipped = r.skipped || p.Skipped
	c.s.passing, c.s.doing = false, "testing the result again"
}

// turn returns the last turn, which may be changed.
func (c *Course) turn() *turn {
	c.s.turns = slices.Clone(c.s.turns)
	return &c.s.turns[len(c.s.turns)-1]
}

// row returns the row of a pass, which may be changed.
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

// mostSizes bounds what is remembered of sizes.
const mostSizes = 4096

// thinned returns the sizes, every second where there are too many.
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

// steered takes note of what the user wants.
func (c *Course) steered(paused, stopped bool, jobs int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.paused, c.s.stopped, c.s.jobs = paused, stopped, jobs
}

// state returns the state now.
func (c *Course) state() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.s
	s.now = time.Now()
	return s
}
