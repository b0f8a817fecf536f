package grain

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"whittle/algo"
)

type step = algo.Step[[]int]

// A search searches a list by grain, the generalised binary splitting of group testing, which is within one test per
// required item of the information-theoretic bound. docs/algorithm.md has an example. A search is immutable.
//
// The few heaviest items come first, then the list from front to back: the lightest should stay, and neighbours often
// need each other. A short list is ordered by weight.
//
// As many unknown items are removed together as pass with probability [Params.Even] according to the model. A failed
// set is split in the same way, given that it has a required item. The items behind a required item are unknown again.
// The last item of a failed set is required without a test.
//
// Guarantee: minimal if the property is monotone. Otherwise repeat it for 1-minimality. If the whole list is required,
// each item was tried alone.
//
// Cost: with k required items of n, about log₂ of the number of ways to choose them, plus k. A bound is not proved; all
// random lists, with any outcomes, stay far below n(2+log₂ n).
type search struct {
	params    *Params
	order     []int
	front     []share // front[i] is the share of the items before place i; front[n] is the whole list
	forecast  *forecast
	posterior posterior
	kept      []int // required items, all before at
	at        int   // place of the first undecided item
	suspects  int   // this many items from at on contain a required one; 0 means unknown

	// clumped: required items are clustered, so experience fades after each of them.
	clumped bool
	before  *posterior

	// alike reports whether the removal of either of two neighbours leaves the same file.
	alike func(a, b int) bool
	// worth decides whether the list deserves a test. If not, the search ends with end.
	worth worth
	end   func(s *search) *step
}

type worth func(chance, share, promise float64) bool

func always(_, _, _ float64) bool { return true }

func searchOrder(p *Params, weights []int) []int {
	total := 0
	for _, w := range weights {
		total += w
	}
	weight := func(item int) int { // 0 for light items
		if float64(len(weights)) <= p.Short || float64(weights[item]) > p.Heavy*float64(total) {
			return weights[item]
		}
		return 0
	}
	order := algo.All(len(weights))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	return order
}

func newSearch(params *Params, weights []int, known posterior) search {
	return searchIn(params, searchOrder(params, weights), weights, known)
}

func searchIn(params *Params, order, weights []int, known posterior) search {
	n := len(weights)
	front := make([]share, n+1)
	for p := range pulls {
		for i, item := range order {
			front[i+1][p] = front[i][p] + math.Pow(float64(max(weights[item], 1)), pullOf(p))
		}
		for i := range front {
			front[i][p] /= front[n][p]
		}
	}
	return search{
		params: params, order: order, front: front, forecast: params.forecast(n), posterior: known, before: &known,
		alike: func(_, _ int) bool { return false },
		worth: always,
		end:   func(*search) *step { return nil },
	}
}

func (s search) part(i, j int) share { return s.front[j].minus(s.front[i]) }

func (s search) next() *step {
	if s.at == len(s.order) {
		return s.end(&s)
	}
	to, chance := s.pick()
	if s.suspects == 0 && !s.worth(chance, s.part(s.at, to)[pulls-1], s.promise()) {
		return s.end(&s)
	}
	ask := algo.Ask(s.rest(to),
		func() *step { return s.removed(to).next() },
		func() *step { return s.failed(to).next() })
	ask.Chance = chance
	return ask
}

// promise is the largest share of the weight that a next test is expected to remove: a small part may be unlikely to
// go, but all of it may.
func (s search) promise() (most float64) {
	c := s.posterior.probabilities(s.params.Negligible)
	for k := 1; ; k = min(2*k, len(s.order)-s.at) {
		part := s.part(s.at, s.at+k)
		most = max(most, part[pulls-1]*c.passes(s.forecast, part))
		if s.at+k == len(s.order) {
			return most
		}
	}
}

func (s search) rest(to int) []int {
	rest := slices.Concat(s.kept, s.order[to:])
	slices.Sort(rest)
	return rest
}

func (s search) removed(to int) search {
	s.posterior = s.posterior.removed(s.forecast, s.part(s.at, to))
	left := s.suspects - (to - s.at)
	s.at, s.suspects = to, max(left, 0)
	if left == 1 {
		return s.failed(to + 1)
	}
	return s
}

// failed is the search after the items before place to could not be removed. A single one is required, and so are the
// identical items behind it.
func (s search) failed(to int) search {
	if to-s.at > 1 {
		s.suspects = to - s.at
		return s
	}
	s = s.required(to)
	for s.at < len(s.order) && s.alike(s.order[s.at-1], s.order[s.at]) {
		s = s.required(s.at + 1)
	}
	return s
}

func (s search) required(to int) search {
	s.posterior = s.posterior.failed(s.forecast, s.part(s.at, to))
	if s.clumped {
		s.posterior = s.posterior.faded(s.before, s.params.Forget)
	}
	s.kept = append(slices.Clip(s.kept), s.order[s.at])
	s.at, s.suspects = to, 0
	return s
}

// pick returns the place up to which the next question removes everything, and its chance.
func (s search) pick() (to int, chance float64) {
	end := len(s.order)
	var passes func(to int) float64
	if s.suspects > 0 {
		whole := s.part(s.at, s.at+s.suspects)
		known := s.posterior.failed(s.forecast, whole)
		c := known.probabilities(s.params.Negligible)
		end = s.at + s.suspects - 1 // the question for all of them has failed
		passes = func(to int) float64 { return c.passesOf(s.forecast, s.part(s.at, to), whole) }
	} else {
		c := s.posterior.probabilities(s.params.Negligible)
		passes = func(to int) float64 { return c.passes(s.forecast, s.part(s.at, to)) }
	}
	// The probability decreases with the size: find the last place with even odds.
	more := sort.Search(end-s.at, func(k int) bool { return passes(s.at+1+k) < s.params.Even })
	to = min(s.at+1+more, end)
	chance = passes(to)
	if before := to - 1; before > s.at {
		if p := passes(before); p-s.params.Even < s.params.Even-chance {
			to, chance = before, p
		}
	}
	return to, chance
}
