package rate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Intervals as in Brown, Cai and DasGupta, Interval Estimation for a Binomial Proportion, 2001, and by R's binom.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		yes, runs int
		low, high float64
		percent   string
	}{
		{19, 20, 0.764, 0.991, "76% to 100%"},
		{0, 20, 0, 0.161, "0% to 17%"},
		{20, 20, 0.839, 1, "83% to 100%"},
		{7, 20, 0.181, 0.567, "18% to 57%"},
		{0, 0, 0, 1, "0% to 100%"},
	} {
		n := Count{c.yes, c.runs}
		low, high := n.Interval()
		if math.Abs(low-c.low) > 0.0006 || math.Abs(high-c.high) > 0.0006 || n.Percent() != c.percent {
			t.Errorf("%v: %.4f to %.4f, %s; want %v to %v, %s", n, low, high, n.Percent(), c.low, c.high, c.percent)
		}
	}
	if n := (Count{20, 20}).Needed(); n != 3 {
		t.Errorf("%d runs show 20 of 20, want 3", n)
	}
}

// decide runs a test against a coin.
func decide(t Test, r *rand.Rand, p float64) (Count, bool) {
	var c Count
	for {
		n := t.Least(c)
		if n == 0 {
			return c, t.Holds(c)
		}
		for range n {
			if c.Runs++; r.Float64() < p {
				c.Yes++
			}
		}
	}
}

// The errors are at most the stated ones, and the numbers of runs are near Wald's. A test that knows the rate of files
// without the failure rejects them sooner.
func TestErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const tries = 4000
	for _, test := range []Test{
		{0.45, 0.9, 0, 0.01, 0.05}, {0.1, 0.2, 0, 0.05, 0.02}, {0.025, 0.05, 0, 0.02, 0.05}, {0.39, 0.79, 0, 1e-5, 0.02},
		{0.45, 0.9, 0.01, 0.01, 0.05}, {0.1, 0.2, 0.005, 0.05, 0.02}, {0.03, 0.05, 0.02, 0.02, 0.05},
	} {
		for _, p := range []float64{0, test.Low / 2, test.Low, test.High, (1 + test.High) / 2, 1} {
			yes, runs := 0, 0
			for range tries {
				c, holds := decide(test, r, p)
				runs += c.Runs
				if holds {
					yes++
				}
			}
			noise := func(rate float64) float64 { return 4 * math.Sqrt(rate*(1-rate)/tries) }
			got := float64(yes) / tries
			if p <= test.Low && got > test.Wrong+noise(test.Wrong) || p >= test.High && 1-got > test.Missed+noise(test.Missed) {
				t.Errorf("%+v accepts a rate of %v in %.4f of the cases", test, p, got)
			}
			mean, expected := float64(runs)/tries, test.Expected(p)
			if wald := test; p < test.Absent {
				if wald.Absent = 0; mean > 0.9*wald.Expected(p)+1 {
					t.Errorf("%+v needs %.1f runs at %v, without Absent %.1f", test, mean, p, wald.Expected(p))
				}
			}
			if mean < 0.9*expected || mean > 1.5*expected+1 {
				t.Errorf("%+v needs %.1f runs at %v; Wald expects %.1f", test, mean, p, expected)
			}
		}
	}
}

// No single run decides before Least.
func TestLeast(t *testing.T) {
	test := Test{0.2, 0.4, 0.01, 0.001, 0.05}
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		var c Count
		for n := test.Least(c); n > 0; n-- {
			if c.Runs++; r.IntN(3) == 0 {
				c.Yes++
			}
			if n > 1 && test.Least(c) == 0 {
				t.Fatalf("%v decides, %d runs before the least number", c, n-1)
			}
		}
	}
}

func measure(r *rand.Rand, with, without float64) Odds {
	var c [3]Count
	o, _ := Measure(Odds{}, func(i, n int) (int, error) {
		for ; c[i].Runs < n; c[i].Runs++ {
			if p := [3]float64{with, without, without}[i]; r.Float64() < p {
				c[i].Yes++
			}
		}
		return c[i].Yes, nil
	})
	return o
}

func TestMeasure(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const tries = 300
	for _, c := range []struct {
		with, without float64
		differ        float64 // the least share
		most          float64
	}{
		{0.9, 0, 0.8, 1}, {0.5, 0, 1, 1}, {0.5, 0.02, 1, 1}, {0.2, 0.02, 0.99, 1}, {0.05, 0, 0.9, 1}, {0.05, 0.02, 0.9, 1},
		{0.02, 0.02, 0, 0.01}, {0.3, 0.3, 0, 0.01}, {0, 0, 0, 0}, {1, 0, 0, 0},
	} {
		differ, high := 0, 0
		for range tries {
			o := measure(r, c.with, c.without)
			if o.Differ() {
				differ++
				if low, _ := o.Rates(); low > c.with || low < c.without {
					high++
				}
			}
		}
		if share := float64(differ) / tries; share < c.differ || share > c.most {
			t.Errorf("%v and %v differ in %.3f of the cases", c.with, c.without, share)
		}
		if high > tries/20 {
			t.Errorf("%v and %v: in %d of %d cases the threshold is not between them", c.with, c.without, high, tries)
		}
	}
}

func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		o    Odds
		want int
	}{
		{Odds{Count{3, 20}, Count{1, 40}}, 160},
		{Odds{Count{40, 1000}, Count{70, 2000}}, 0},
		{Odds{Count{10, 20}, Count{40, 40}}, 0},
	} {
		if got := c.o.Needed(); got != c.want {
			t.Errorf("%v: %d, want %d", c.o, got, c.want)
		}
	}
}
