package view

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/internal/chain"
)

// A Course collects a run's progress, safe for concurrent use.
type Course struct {
	Elsewhere func() string     // other places of tests; may be nil
	Warn      func(text string) // may be nil

	mu sync.Mutex
	s  state
}

// A state is an immutable snapshot.
type state struct {
	now, began time.Time
	input      string
	output     string
	how        string
	seeks      string // the failure in one line, or ""
	doing      string // activity before the first pass

	tokens, atAll int
	bytes         int
	atFirst       int // bytes
	tests         int // with an earlier run's
	replayed      int
	sizes         []size
	pass          string    // of the last decision
	succeeded     time.Time // last success, or zero
	best, before  []byte    // best file and the previous one

	passes    []row
	turns     []turn
	passing   bool // the last turn runs
	passBegan time.Time
	kind      string
	talk      []string

	maxTime time.Duration // 0 means no limit
	jobs    int
	load    chain.Load
	paused  bool
	stopped bool
}

// A size is the best file's size at a time.
type size struct {
	at     time.Duration
	tokens int
}

type row struct {
	name    string
	turns   int
	tests   int
	removed int // tokens
	took    time.Duration
	skipped bool
}

type turn struct {
	pass     string
	tokens   int // at its start
	took     time.Duration
	replayed bool // with answers of the journal
}

// NewCourse returns a course that starts now.
func NewCourse(doing string) *Course { return &Course{s: state{began: time.Now(), doing: doing}} }

// Restart begins other work. It keeps the messages.
func (c *Course) Restart(doing string) {
	c.change(func(s *state) { *s = state{began: time.Now(), doing: doing, talk: s.talk} })
}

// Does sets the activity while no pass runs.
func (c *Course) Does(doing string) { c.change(func(s *state) { s.doing = doing }) }

func (c *Course) change(f func(s *state)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.s)
}

// Say adds a message.
func (c *Course) Say(line string) { c.change(func(s *state) { s.talk = append(s.talk, line) }) }

// Elapsed returns the time since the start.
func (c *Course) Elapsed() time.Duration { return time.Since(c.state().began) }

// Replayed returns the number of tests with an outcome of the journal.
func (c *Course) Replayed() int { return c.state().replayed }

// String returns the progress in one line.
func (c *Course) String() string {
	s := c.state()
	elapsed := s.now.Sub(s.began)
	if s.pass == "" {
		return fmt.Sprintf("%s%s, %v", s.doing, c.There(), elapsed.Round(time.Second))
	}
	perSecond := rate(float64(s.tests-s.replayed) / max(elapsed.Seconds(), 0.001))
	return fmt.Sprintf("%s/%s tokens (%.1f%%), %s, %s (%s/s)%s, %s, %v", count(s.tokens), count(s.atAll),
		Percent(s.tokens, s.atAll), humanize.Bytes(uint64(s.bytes)), Tests(s.tests, s.replayed), perSecond, c.There(),
		s.pass, elapsed.Round(time.Second))
}

// There returns the other places of tests as a part of a line.
func (c *Course) There() string {
	if c.Elsewhere == nil {
		return ""
	}
	if where := c.Elsewhere(); where != "" {
		return ", " + where
	}
	return ""
}

// inVain is a number of tests after which a file of almost the same length calls for advice, once.
const inVain = 1000

// Observe receives a reduction's events.
func (c *Course) Observe(e whittle.Event) {
	if c.observe(e) && c.Warn != nil {
		c.Warn("1,000 tests, and hardly a byte is gone; a TEST may repair lengths or checksums in the file first, " +
			"and another --language may suit it")
	}
}

// observe reports whether advice is due.
func (c *Course) observe(e whittle.Event) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.s.tests
	switch e := e.(type) {
	case whittle.PassBegan:
		c.began(e.Name)
	case whittle.Decision:
		c.decided(e)
	case whittle.PassResult:
		c.ended(e)
	}
	return before < inVain && c.s.tests >= inVain && c.s.bytes >= c.s.atFirst-c.s.atFirst/100
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
	c.s.passing, c.s.doing = false, "preparing the next pass"
}

func (c *Course) turn() *turn {
	c.s.turns = slices.Clone(c.s.turns)
	return &c.s.turns[len(c.s.turns)-1]
}

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
		s.tokens, s.best, s.atFirst = d.AtAll, d.Base, len(d.Base)
	}
	if d.Accepted {
		removed = s.tokens - d.Best
		s.before, s.best = d.Base, d.File
		s.succeeded = now
		s.sizes = thinned(append(s.sizes, size{now.Sub(s.began), d.Best}))
	}
	s.atAll, s.tokens, s.bytes, s.tests, s.pass = d.AtAll, d.Best, d.BestBytes, d.Tests, d.Pass
	if d.About != nil {
		s.kind = d.About.Kind()
	}
	r := c.row(d.Pass)
	r.removed += removed
	switch {
	case d.Replayed:
		if s.replayed++; s.passing {
			c.turn().replayed = true
		}
	case !d.Cached:
		r.tests++
	}
}

const mostSizes = 4096

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

func (c *Course) state() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.s
	s.now = time.Now()
	return s
}

// tooLate times its expected time drops a pass's estimate.
const tooLate = 1.25

// round estimates the rest of this round from the last turn of each pass, in proportion to
// tokens. It is unknown in the first round, after answers of the journal, and if a pass takes far
// longer than expected.
func (s *state) round() (left time.Duration, known bool) {
	current := len(s.turns) - 1
	if current < 0 || !s.passing {
		return 0, false
	}
	last := current - 1
	for last >= 0 && s.turns[last].pass != s.turns[current].pass {
		last--
	}
	if last < 0 {
		return 0, false
	}
	expected := s.expected(s.turns[last])
	elapsed := s.now.Sub(s.passBegan)
	if float64(elapsed) > tooLate*float64(expected) {
		return 0, false
	}
	left = max(expected-elapsed, 0)
	// Add the passes that followed in that round, up to the first pass with two turns.
	first := slices.IndexFunc(s.turns, func(t turn) bool {
		n := 0
		for _, other := range s.turns {
			if other.pass == t.pass {
				n++
			}
		}
		return n > 1
	})
	if slices.ContainsFunc(s.turns[last:current], func(t turn) bool { return t.replayed }) {
		return 0, false
	}
	for _, t := range s.turns[last+1 : current] {
		if t.pass == s.turns[first].pass {
			break
		}
		left += s.expected(t)
	}
	return left, true
}

func (s *state) expected(t turn) time.Duration {
	return time.Duration(float64(t.took) * float64(s.tokens) / float64(max(t.tokens, 1)))
}

func (s *state) timeLeft() string {
	round, known := s.round()
	limit := s.maxTime - s.now.Sub(s.began)
	switch {
	case s.maxTime > 0 && (!known || limit <= round):
		return "at most " + duration(max(limit, 0)) + " left"
	case known && round >= time.Second:
		return "about " + duration(round) + " to the end of this round"
	case known:
		return "this round is about to end"
	}
	return ""
}
