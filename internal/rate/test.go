package rate

import (
	"cmp"
	"math"
	"sort"
)

// A Test is a sequential probability ratio test (Wald, Sequential Tests of Statistical Hypotheses, 1945) between the
// rate Low and the rate of With, which is known only from its runs. So the likelihood of that rate is the mean over the
// rates above Low, weighted by how well they explain With. A single rate for all of them would have to be the lowest
// one, and needs twice as many runs.
//
// The test reads runs in their order. It ends with yes if With is 1/Wrong times as likely as Low. It ends with no if
// Low and Absent together are 2/Missed times as likely as With, since most wrong candidates do not show the failure.
//
// So by Ville's inequality the errors are at most Wrong and Missed for any number of runs. Wrong holds for each rate up
// to Low, since more failures never speak for Low. Missed is a mean over the rates that With leaves possible.
type Test struct {
	With   Count
	Low    float64
	Absent float64 // less than Low; 0 means Low: Wald's test
	Wrong  float64 // probability of yes if the rate is Low
	Missed float64 // probability of no if the rate is the same as for With
}

// steps is the number of rates that stand for all rates above Low.
const steps = 32

// rates are logarithms of rates above Low, of their complements, and of their likelihoods of With.
type rates struct {
	Test
	yes, no, with [steps]float64
	sum           float64 // of the likelihoods
}

func (t Test) rates() *rates {
	r := &rates{Test: t, sum: math.Inf(-1)}
	yes, no := t.With.split()
	for i := range steps {
		r.yes[i] = math.Log(t.Low) * (float64(i) + 0.5) / steps
		r.no[i] = math.Log(-math.Expm1(r.yes[i]))
		r.with[i] = yes*r.yes[i] + no*r.no[i]
		r.sum = logSum(r.sum, r.with[i])
	}
	return r
}

// gain returns the logarithm of the likelihood of With over a rate. The counts may be means.
func (r *rates) gain(yes, no, rate float64) float64 {
	sum := math.Inf(-1)
	for i, with := range r.with {
		sum = logSum(sum, with+yes*r.yes[i]+no*r.no[i])
	}
	return sum - r.sum - yes*math.Log(rate) - no*math.Log1p(-rate)
}

// logSum returns the logarithm of the sum of two numbers with these logarithms, which are not both 0.
func logSum(a, b float64) float64 { return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b))) }

// fails reports whether a test has ended with no.
func (r *rates) fails(yes, no float64) bool {
	low, absent := -r.gain(yes, no, r.Low), -r.gain(yes, no, cmp.Or(r.Absent, r.Low))
	return logSum(low, absent) >= math.Log(2/r.Missed)
}

func (r *rates) holds(yes, no float64) bool { return r.gain(yes, no, r.Low) >= -math.Log(r.Wrong) }

// Holds reports whether a test has ended with yes.
func (t Test) Holds(c Count) bool { return t.rates().holds(c.split()) }

// Least returns the smallest number of further runs that decide, if all of them are equal; 0 if the test has ended.
func (t Test) Least(c Count) int {
	yes, no := c.split()
	r := t.rates()
	least := first(func(n float64) bool { return r.holds(yes+n, no) })
	return sort.Search(least, func(n int) bool { return r.fails(yes, no+float64(n)) })
}

// Expected returns the number of runs that decide if each part of them shows the failure at a rate.
func (t Test) Expected(rate float64) float64 {
	r := t.rates()
	return float64(first(func(n float64) bool {
		yes, no := rate*n, (1-rate)*n
		return r.holds(yes, no) || r.fails(yes, no)
	}))
}

// first returns the first number for which a condition holds, as it does for all larger ones.
func first(holds func(n float64) bool) int {
	most := 1
	for most < 1<<30 && !holds(float64(most)) {
		most *= 2
	}
	return sort.Search(most, func(n int) bool { return holds(float64(n)) })
}
