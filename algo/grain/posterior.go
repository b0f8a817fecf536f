package grain

import "math"

// A hypothesis predicts the number of required items among n, rate·n^growth, proportional to the weights to the power
// of pull. Lists may have a few required items at any length (growth 0), or always the same share (growth 1). Heavy
// items may be required as often as light ones (pull 0), or in proportion to their tokens (pull 1). Both are 0, 1/2 or
// 1.
const (
	pulls      = 3
	growths    = 3
	rates      = 24
	hypotheses = pulls * growths * rates
)

func pullOf(i int) float64 { return float64(i) / (pulls - 1) }

// A posterior is the log probability of each hypothesis, up to a constant, after the outcomes for a list and for
// earlier lists of its kind.
type posterior [hypotheses]float64

// A share is the size of a part of a list by each pull, from 0 to 1.
type share [pulls]float64

func (a share) minus(b share) share {
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// A forecast is the expected number of required items of a list by each hypothesis.
type forecast [hypotheses]float64

func (p *Params) forecast(n int) *forecast {
	var f forecast
	for i := range f {
		g := i / rates % growths
		least, most := p.FewestNeeded[g], p.MostNeeded[g]
		rate := least * math.Pow(most/least, float64(i%rates)/(rates-1))
		f[i] = rate * math.Pow(float64(n), float64(g)/(growths-1))
	}
	return &f
}

// of returns the expected number x for a part. Required items count as independent, so the probability of zero
// is exp(-x).
func (f *forecast) of(part share, i int) float64 { return f[i] * part[i/rates/growths] }

func (p posterior) removed(f *forecast, part share) posterior {
	for i := range p {
		p[i] -= f.of(part, i)
	}
	return p
}

func (p posterior) failed(f *forecast, part share) posterior {
	for i := range p {
		p[i] += math.Log(-math.Expm1(-f.of(part, i)))
	}
	return p
}

// faded keeps the given share of the changes since before.
func (p posterior) faded(before *posterior, left float64) posterior {
	for i := range p {
		p[i] = before[i] + left*(p[i]-before[i])
	}
	return p
}

// Probabilities of the hypotheses sum to 1. Negligible ones are 0.
type probabilities [hypotheses]float64

func (p *posterior) probabilities(negligible float64) (c probabilities) {
	best, sum := math.Inf(-1), 0.0
	for i := range p {
		best = max(best, p[i])
	}
	for i := range p {
		c[i] = math.Exp(p[i] - best)
		sum += c[i]
	}
	for i := range c {
		if c[i] /= sum; c[i] <= negligible {
			c[i] = 0
		}
	}
	return c
}

func (c *probabilities) passes(f *forecast, part share) float64 {
	p := 0.0
	for i, probable := range c {
		if probable > 0 {
			p += probable * math.Exp(-f.of(part, i))
		}
	}
	return p
}

// passesOf returns the probability that a part can be removed if whole, which contains it, has a required item. c
// already includes that information.
func (c *probabilities) passesOf(f *forecast, part, whole share) float64 {
	p := 0.0
	for i, probable := range c {
		if probable > 0 {
			none := math.Exp(-f.of(whole, i))
			p += probable * (math.Exp(-f.of(part, i)) - none) / -math.Expm1(-f.of(whole, i))
		}
	}
	return p
}
