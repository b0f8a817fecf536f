package rate

import (
	"cmp"
	"math"
	"sort"
)

// A Test is a sequential probability ratio test (Wald, Sequential Tests of Statistical Hypotheses, 1945) between two
// rates. It reads runs in their order. It ends with yes if High is 1/Wrong times as likely as Low. It ends with no if
// Low and Absent together are 2/Missed times as likely as High, since most wrong candidates do not show the failure.
//
// So by Ville's inequality the errors are at most Wrong and Missed for any number of runs, and for each rate up to Low,
// or from High.
type Test struct {
	Low, High float64
	Absent    float64 // less than Low; 0 means Low: Wald's test
	Wrong     float64 // probability of yes if the rate is Low
	Missed    float64 // probability of no if the rate is High
}

// gain returns the logarithm of the likelihood of High over another rate.
func (t Test) gain(c Count, rate float64) float64 {
	return float64(c.Yes)*math.Log(t.High/rate) + float64(c.Runs-c.Yes)*math.Log((1-t.High)/(1-rate))
}

func (t Test) absent() float64 { return cmp.Or(t.Absent, t.Low) }

// fails reports whether a test has ended with no.
func (t Test) fails(c Count) bool {
	low, absent := -t.gain(c, t.Low), -t.gain(c, t.absent())
	return max(low, absent)+math.Log1p(math.Exp(-math.Abs(low-absent))) >= math.Log(2/t.Missed)
}

// Holds reports whether a test has ended with yes.
func (t Test) Holds(c Count) bool { return t.gain(c, t.Low) >= -math.Log(t.Wrong) }

// Least returns the smallest number of further runs that decide, if all of them are equal; 0 if the test has ended.
func (t Test) Least(c Count) int {
	if t.Holds(c) {
		return 0
	}
	yes := math.Ceil((-math.Log(t.Wrong) - t.gain(c, t.Low)) / math.Log(t.High/t.Low))
	return sort.Search(int(yes), func(no int) bool { return t.fails(Count{c.Yes, c.Runs + no}) })
}

// Expected returns Wald's approximation of the number of runs at a rate, without errors and the excess over the bounds.
func (t Test) Expected(rate float64) float64 {
	drift := func(other float64) float64 {
		return rate*math.Log(t.High/other) + (1-rate)*math.Log((1-t.High)/(1-other))
	}
	if drift(t.Low) > 0 {
		return -math.Log(t.Wrong) / drift(t.Low)
	}
	return math.Log(t.Missed) / min(drift(t.Low), drift(t.absent()))
}
