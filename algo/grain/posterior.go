package grain

import "math"

// A hypothesis about lists says how many of n items are needed, about
// rate·n^growth, and how these are spread: as the weights of the items to the
// power of pull. So lists may have a few needed items each, however long they
// are (growth 0), or always the same share (growth 1); and what is heavy may be
// needed as often as what is light (pull 0), or as each of its tokens is (pull 1).
// Pulls and growths are 0, 1/2 and 1.
const (
	pulls      = 3
	growths    = 3
	rates      = 24
	hypotheses = pulls * growths * rates
)

// pullOf returns the powers of the weights.
func pullOf(i int) float64 { return float64(i) / (pulls - 1) }

// A posterior is the logarithm, but for a constant, of how probable each
// hypothesis is after what came out so far, in a list and in those of the same
// kind before. The zero value knows nothing.
type posterior [hypotheses]float64

// A share is how much of a list some of its items are, from 0 to 1, by each pull.
type share [pulls]float64

func (a share) minus(b share) share {
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// A forecast is how many items of a whole list are needed, by each hypothesis.
type forecast [hypotheses]float64

// forecast returns the forecast for a list of n items.
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

// of returns how many are needed of a part, by hypothesis i. Needed items are taken
// for independent, so none is with probability e to the minus that.
func (f *forecast) of(part share, i int) float64 { return f[i] * part[i/rates/growths] }

// removed returns the posterior after a part of a list could go.
func (p posterior) removed(f *forecast, part share) posterior {
	for i := range p {
		p[i] -= f.of(part, i)
	}
	return p
}

// failed returns the posterior after a part of a list could not go: one of it is
// needed.
func (p posterior) failed(f *forecast, part share) posterior {
	for i := range p {
		p[i] += math.Log(-math.Expm1(-f.of(part, i)))
	}
	return p
}

// faded returns the posterior of which that part is left of what it has learned
// since before.
func (p posterior) faded(before *posterior, left float64) posterior {
	for i := range p {
		p[i] = before[i] + left*(p[i]-before[i])
	}
	return p
}

// Probabilities are those of the hypotheses; they sum to 1. Those that are
// negligible are 0.
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

// passes returns the probability that a part can go.
func (c *probabilities) passes(f *forecast, part share) float64 {
	p := 0.0
	for i, probable := range c {
		if probable > 0 {
			p += probable * math.Exp(-f.of(part, i))
		}
	}
	return p
}

// passesOf returns the probability that a part can go that is a part of a whole of
// which something is known to be needed. c knows that.
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
