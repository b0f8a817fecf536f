package view

import (
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"whittle"
)

// A Progress is what a line says of a run while it goes on. Its methods may be called from any
// goroutine.
type Progress struct {
	Began     time.Time
	Elsewhere func() string // where tests run besides this machine; nil is nowhere

	mu       sync.Mutex
	doing    string // before the first decision
	replayed int    // tests that an earlier run had done
	last     *whittle.Decision
}

// NewProgress returns the progress of what begins now.
func NewProgress(doing string) *Progress { return &Progress{Began: time.Now(), doing: doing} }

// Does says what is being done as long as nothing is decided.
func (p *Progress) Does(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = what
}

// Decided takes note of a decision. It returns how many tests an earlier run had done.
func (p *Progress) Decided(d whittle.Decision) (replayed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = &d
	if d.Replayed {
		p.replayed++
	}
	return p.replayed
}

// String is the progress in one line.
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

// There says where tests run besides this machine, as a part of a line.
func (p *Progress) There() string {
	if p.Elsewhere == nil {
		return ""
	}
	if where := p.Elsewhere(); where != "" {
		return ", " + where
	}
	return ""
}

// Tests says how many tests there were, some of which an earlier run had done.
func Tests(n, replayed int) string {
	s := plural(n, "test")
	if replayed > 0 {
		s += " (" + count(replayed) + " from the journal)"
	}
	return s
}

// Percent returns the share of a part. All of nothing is 100 %.
func Percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
