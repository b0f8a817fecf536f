package serverscript

import "time"

// A Pace tells whether a command starts slowly.
type Pace struct {
	began time.Time
	tests int
	told  bool
}

// A run is slow with less than one test per second and job after slowAfter.
const (
	slowAfter = 20 * time.Second
	slowTests = 5
)

// Slow counts a test that ended now. It reports once that tests are slow.
func (p *Pace) Slow(jobs int, now time.Time) bool {
	if p.told {
		return false
	}
	if p.tests++; p.tests == 1 {
		p.began = now
	}
	elapsed := now.Sub(p.began)
	p.told = p.tests >= slowTests && elapsed >= slowAfter && float64(p.tests) < elapsed.Seconds()*float64(jobs)
	return p.told
}
