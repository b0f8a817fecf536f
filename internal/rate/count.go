// Package rate judges tests that do not give the same answer each time, by numbers of their answers.
package rate

import (
	"fmt"
	"math"
)

// A Count is the result of independent runs.
type Count struct{ Yes, Runs int }

// Plus returns the sum of two counts.
func (c Count) Plus(d Count) Count { return Count{c.Yes + d.Yes, c.Runs + d.Runs} }

// Add counts a run.
func (c *Count) Add(yes bool) {
	if c.Runs++; yes {
		c.Yes++
	}
}

// Rate returns the share of yes.
func (c Count) Rate() float64 { return float64(c.Yes) / float64(max(c.Runs, 1)) }

func (c Count) split() (yes, no float64) { return float64(c.Yes), float64(c.Runs - c.Yes) }

func (c Count) String() string { return fmt.Sprintf("%d of %d runs", c.Yes, c.Runs) }

// Quantiles of the normal distribution.
const (
	both95 = 1.96 // two-sided
	one99  = 2.33
)

// Interval returns the 95% confidence interval of the rate.
func (c Count) Interval() (low, high float64) { return c.wilson(both95) }

// Measured describes the count and the interval.
func (c Count) Measured() string { return fmt.Sprintf("%v (95%% interval %s)", c, c.Percent()) }

// Percent describes the interval, as in "75% to 99%".
func (c Count) Percent() string {
	low, high := c.Interval()
	return fmt.Sprintf("%.0f%% to %.0f%%", math.Floor(100*low), math.Ceil(100*high))
}

// wilson returns the score interval (Wilson, Probable Inference, the Law of Succession, and Statistical Inference,
// 1927).
func (c Count) wilson(z float64) (low, high float64) {
	if c.Runs == 0 {
		return 0, 1
	}
	n, p := float64(c.Runs), c.Rate()
	middle := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))
}

// Needed returns the number of runs after which a rate is above 0 with a probability of 99%.
func (c Count) Needed() int {
	low, _ := c.Interval()
	return max(1, int(math.Ceil(math.Log(0.01)/math.Log(1-min(max(low, 1e-3), 0.99)))))
}
