package view

import (
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"whittle"
)

// A Progress makes a run's progress line, safe for concurrent use.
type Progress struct {
	Began     time.Time
	Elsewhere func() string // other places of tests; may be nil

	mu       sync.Mutex
	doing    string // before the first decision
	replayed int
	last     *whittle.Decision
}

// NewProgress returns the progress of a run that starts now.
func NewProgress(doing string) *Progress { return &Progress{Began: time.Now(), doing: doing} }

// Does sets the activity before the first decision.
func (p *Progress) Does(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = what
}

// Decided records a decision, and returns the tests from the journal.
func (p *Progress) Decided(d whittle.Decision) (replayed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = &d
	if d.Replayed {
		p.replayed++
	}
	return p.replayed
}

// String returns the line.
func (p *Progress) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed, d := time.Since(p.Began), p.last
	if d == nil {
		return fmt.Sprintf("%s%s, %v", p.doing, p.There(), elapsed.Round(time.Second))
	}
	perSecond, digits := float64(d.Tests-p.replayed)/max(elapsed.Seconds(), 0.001), 0
	if perSecond < 9.5 {
		digits = 1
	}
	return fmt.Sprintf("%s/%s tokens (%.1f%%), %s, %s (%.*f/s)%s, %s, %v",
		count(d.Best), count(d.AtAll), Percent(d.Best, d.AtAll), humanize.Bytes(uint64(d.BestBytes)),
		Tests(d.Tests, p.replayed), digits, perSecond, p.There(), d.Pass, elapsed.Round(time.Second))
}

// There returns the other places of tests as a part of a line.
func (p *Progress) There() string {
	if p.Elsewhere == nil {
		return ""
	}
	if where := p.Elsewhere(); where != "" {
		return ", " + where
	}
	return ""
}

// Tests formats n tests, of which the journal had some.
func Tests(n, replayed int) string {
	s := plural(n, "test")
	if replayed > 0 {
		s += " (" + count(replayed) + " from the journal)"
	}
	return s
}

// Percent returns part of whole in percent, 100 of 0.
func Percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
