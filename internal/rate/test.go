package rate

import "math"

// A Test is the sequential probability ratio test (Wald, Sequential Tests of Statistical Hypotheses, 1945) between two
// rates. It reads runs in their order, and ends as soon as the likelihood ratio leaves its bounds.
//
// The bounds are 1/Wrong and Missed. So by Ville's inequality the errors are at most those for any number of runs, and
// for each rate up to Low, or from High.
type Test struct {
	Low, High float64
	Wrong     float64 // probability of yes if the rate is Low
	Missed    float64 // probability of no if the rate is High
}

// steps returns the logarithms of the likelihood ratio after one yes, and after one no.
func (t Test) steps() (yes, no float64) {
	return math.Log(t.High / t.Low), math.Log((1 - t.High) / (1 - t.Low))
}

// Least returns the smallest number of further runs that decide, if all of them are equal; 0 if the test has ended.
func (t Test) Least(c Count) int {
	yes, no := t.steps()
	at := float64(c.Yes)*yes + float64(c.Runs-c.Yes)*no
	up, down := (-math.Log(t.Wrong)-at)/yes, (math.Log(t.Missed)-at)/no
	return max(0, int(math.Ceil(min(up, down))))
}

// Holds returns the result of a test that has ended.
func (t Test) Holds(c Count) bool {
	yes, no := t.steps()
	return float64(c.Yes)*yes+float64(c.Runs-c.Yes)*no >= -math.Log(t.Wrong)
}

// Expected returns Wald's approximation of the number of runs at a rate, without errors and the excess over the bounds.
func (t Test) Expected(rate float64) float64 {
	yes, no := t.steps()
	drift := rate*yes + (1-rate)*no
	if drift > 0 {
		return -math.Log(t.Wrong) / drift
	}
	return math.Log(t.Missed) / drift
}
