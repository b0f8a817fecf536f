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

// The errors are at most the stated ones: of accepting any rate up to Low, and of missing the rates that With leaves
// possible. Expected predicts the runs. A test that knows the rate of files without the failure rejects them sooner.
func TestErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const tries = 300
	for _, test := range []Test{
		{Count{12, 20}, 0.17, 0, 0.01, 0.05}, {Count{18, 20}, 0.33, 0, 1e-4, 0.02}, {Count{10, 40}, 0.065, 0, 0.05, 0.05},
		{Count{75, 100}, 0.5, 0, 0.01, 0.05}, {Count{20, 20}, 0.39, 0, 1e-5, 0.02}, {Count{70, 400}, 0.13, 0, 0.02, 0.02},
		{Count{12, 20}, 0.17, 0.012, 0.01, 0.02}, {Count{10, 40}, 0.1, 0.04, 0.02, 0.05},
	} {
		check := func(what string, most float64, rate func() float64) (mean float64) {
			yes, runs := 0, 0
			for range tries {
				c, holds := decide(test, r, rate())
				if runs += c.Runs; holds {
					yes++
				}
			}
			got := float64(yes) / tries
			if what == "no" {
				got = 1 - got
			}
			if got > most+4*math.Sqrt(most*(1-most)/tries) {
				t.Errorf("%+v says %s in %.4f of the cases", test, what, got)
			}
			return float64(runs) / tries
		}
		absent := check("yes", 0, func() float64 { return 0 })
		check("yes", test.Wrong, func() float64 { return test.Low / 2 })
		check("yes", test.Wrong, func() float64 { return test.Low })
		check("no", test.Missed, func() float64 { return test.possible(r) })
		always := check("no", 0, func() float64 { return 1 })
		if test.Expected(0) != absent || test.Expected(1) != always {
			t.Errorf("%+v expects %v and %v runs, not %v and %v", test, test.Expected(0), test.Expected(1), absent, always)
		}
		usual := test.With.Rate()
		mean := check("no", 0.5, func() float64 { return usual })
		if expected := test.Expected(usual); usual < 1 && (mean < 0.7*expected || mean > 1.6*expected) {
			t.Errorf("%+v needs %.1f runs, %.1f expected", test, mean, expected)
		}
		if wald := test; test.Absent > 0 {
			if wald.Absent = 0; absent > 0.9*wald.Expected(0) {
				t.Errorf("%+v needs %v runs without the failure, without Absent %v", test, absent, wald.Expected(0))
			}
		}
	}
}

// possible returns a random rate above Low that explains With.
func (t Test) possible(r *rand.Rand) float64 {
	likely := func(p float64) float64 {
		return math.Pow(p, float64(t.With.Yes)) * math.Pow(1-p, float64(t.With.Runs-t.With.Yes))
	}
	for {
		p := math.Pow(t.Low, r.Float64())
		if r.Float64()*likely(t.With.Rate()) < likely(p) {
			return p
		}
	}
}

// A failure in 12 of 20 runs that never shows by chance needs about 12 runs with it, and 6 without.
func TestFew(t *testing.T) {
	o := Odds{Count{12, 20}, Count{0, 40}}
	for _, c := range []struct{ rate, most float64 }{{0.6, 13}, {1, 5}, {0, 7}} {
		if got := o.Test(0.01).Expected(c.rate); got > c.most {
			t.Errorf("a rate of %v needs %v runs, more than %v", c.rate, got, c.most)
		}
	}
}

// No single run decides before Least.
func TestLeast(t *testing.T) {
	test := Test{Count{20, 50}, 0.2, 0.01, 0.001, 0.05}
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
