package algo

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

// pullOf gives the powers of the weights.
func pullOf(i int) float64 { return float64(i) / (pulls - 1) }

// A hunch is what a search expects of a list: the logarithm of how well each
// hypothesis explains what came out so far, here and in lists of the same kind.
// The zero value knows nothing.
type hunch [hypotheses]float64

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

// forecastOf gives the forecast for a list of n items. The rates go from a fifth
// of an item, of a list of a few, to more than there are.
func forecastOf(n int) *forecast {
	least := [growths]float64{0.2, 0.04, 0.002}
	most := [growths]float64{200, 20, 3}
	var f forecast
	for i := range f {
		g := i / rates % growths
		rate := least[g] * math.Pow(most[g]/least[g], float64(i%rates)/(rates-1))
		f[i] = rate * math.Pow(float64(n), float64(g)/(growths-1))
	}
	return &f
}

// of gives how many are needed of a part, by hypothesis i. Needed items are taken
// for independent, so none is with probability e to the minus that.
func (f *forecast) of(part share, i int) float64 { return f[i] * part[i/rates/growths] }

// removed is the hunch after a part of a list could go.
func (h hunch) removed(f *forecast, part share) hunch {
	for i := range h {
		h[i] -= f.of(part, i)
	}
	return h
}

// failed is the hunch after a part of a list could not go: one of it is needed.
func (h hunch) failed(f *forecast, part share) hunch {
	for i := range h {
		h[i] += math.Log(-math.Expm1(-f.of(part, i)))
	}
	return h
}

// fadedTo is the hunch with half of what it has learned since forgotten.
func (h hunch) fadedTo(before hunch) hunch {
	for i := range h {
		h[i] = before[i] + faded*(h[i]-before[i])
	}
	return h
}

// A credence is how probable each hypothesis is; they sum to 1.
type credence [hypotheses]float64

func (h hunch) credence() (c credence) {
	best, sum := math.Inf(-1), 0.0
	for i := range h {
		best = max(best, h[i])
	}
	for i := range h {
		c[i] = math.Exp(h[i] - best)
		sum += c[i]
	}
	for i := range c {
		c[i] /= sum
	}
	return c
}

// passes is the probability that a part can go.
func (c *credence) passes(f *forecast, part share) float64 {
	p := 0.0
	for i, probable := range c {
		if probable > negligible {
			p += probable * math.Exp(-f.of(part, i))
		}
	}
	return p
}

// passesOf is the probability that a part can go that is a part of a whole of
// which something is known to be needed. c knows that.
func (c *credence) passesOf(f *forecast, part, whole share) float64 {
	p := 0.0
	for i, probable := range c {
		if probable > negligible {
			none := math.Exp(-f.of(whole, i))
			p += probable * (math.Exp(-f.of(part, i)) - none) / -math.Expm1(-f.of(whole, i))
		}
	}
	return p
}

// negligible is the probability below which a hypothesis is not asked.
const negligible = 1e-6
