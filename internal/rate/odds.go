package rate

import (
	"math"
	"time"
)

// Odds are the measured rates of a failure: of the input, and of files without its code.
type Odds struct{ With, Without Count }

const (
	firstRuns = 20
	mostRuns  = 10_240

	steadyRuns = 40  // without no
	absentRuns = 160 // without yes
	quick      = 3 * time.Second

	leastYes = 10
	loss     = 2 // a candidate may lose so much of the rate
	apart    = 1.5
)

// Measure counts the runs that show a failure, until the rates of the input and the background differ enough. The
// function returns how many of the first runs of a file do: of the input, an empty file, or garbage. The numbers of
// runs are 20, 40, and so on, up to 10,240; after an earlier measurement the first is twice its number. A failure that
// 20 runs do not show counts as absent; if they are quick, after 160. If all of 40 show it, the other files do not
// matter.
func Measure(before Odds, runs func(file, runs int) (yes int, err error)) (o Odds, err error) {
	began := time.Now()
	for n := max(firstRuns, 2*before.With.Runs); n <= mostRuns; n *= 2 {
		var yes [3]int
		for file := range yes {
			if yes[file], err = runs(file, n); err != nil {
				return o, err
			}
			if yes[0] == 0 || yes[0] == n {
				break
			}
		}
		switch o = (Odds{With: Count{yes[0], n}}); {
		case o.Steady() && n == steadyRuns, yes[0] == 0 && (n == absentRuns || time.Since(began) > quick):
			return o, nil
		case o.Steady(), yes[0] == 0:
			continue
		}
		o = Odds{Count{yes[0], n}, Count{yes[1] + yes[2], 2 * n}}
		if o.Differ() || o.hopeless() {
			break
		}
	}
	return o, nil
}

// Rates returns the rates to tell apart. A failure with the lower rate is much rarer than in the input, or not above
// the background. A failure with the higher rate is as frequent as in the input.
func (o Odds) Rates() (low, high float64) {
	high, _ = o.With.wilson(one99)
	_, low = o.Without.wilson(one99)
	return max(low, high/loss), high
}

// Test returns the test of candidates. If the failure also shows by chance, its error suffices for a hundred of them.
func (o Odds) Test(failed float64) Test {
	low, _ := o.Rates()
	absent := (float64(o.Without.Yes) + 0.5) / float64(o.Without.Runs+1)
	t := Test{With: o.With, Low: low, Absent: min(absent, low), Wrong: failed, Missed: 0.02}
	if o.Without.Yes > 0 {
		return t.Strict(failed)
	}
	return t
}

// Strict returns the test with an error that suffices for a hundred candidates.
func (t Test) Strict(failed float64) Test {
	t.Wrong = failed / 100
	return t
}

// Differ reports whether the rates are known well enough.
func (o Odds) Differ() bool {
	low, high := o.Rates()
	return o.With.Yes >= leastYes && high >= apart*low
}

// Raised returns the test by the rate of a better file: no candidate may lose half of it.
func (t Test) Raised(c Count) Test {
	before, _ := t.With.wilson(one99)
	if high, _ := c.wilson(one99); c.Yes >= firstRuns && high > before {
		t.With, t.Low = c, max(t.Low, high/loss)
	}
	return t
}

// Steady reports whether each run of the input shows the failure.
func (o Odds) Steady() bool { return o.With.Yes == o.With.Runs }

// hopeless reports whether the rates are known not to differ enough.
func (o Odds) hopeless() bool {
	_, most := o.With.Interval()
	least, _ := o.Without.Interval()
	return most < apart*least
}

// Needed returns the number of runs of the input after which such rates would differ; 0 means never.
func (o Odds) Needed() int {
	if o.hopeless() {
		return 0
	}
	for n := firstRuns; n < 1<<30; n *= 2 {
		times := func(runs int, rate float64) Count { return Count{int(math.Round(float64(runs) * rate)), runs} }
		if (Odds{times(n, o.With.Rate()), times(2*n, o.Without.Rate())}).Differ() {
			return n
		}
	}
	return 0
}
