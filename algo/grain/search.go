package grain

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"whittle/algo"
)

// step is a step of a list search.
type step = algo.Step[[]int]

// A search is one of a list by grain, which is our own: the generalised binary splitting of group testing, which is
// within one test for each needed item of what information theory allows, with
// a model that learns how much of a list is needed while it is searched.
//
//	a b c d e f g h i j k l m n o p    c and n are needed
//	---------------                    uninteresting: one of these is needed
//	-------                            uninteresting
//	---                                interesting; so c or d is needed
//	    -                              uninteresting: c is
//	      -----------                  nothing is known of d to h any more
//
// The list is searched from front to back, after the few items that weigh a good
// part of all: where one of several things suffices, the lightest is to stay. In
// a short list all items are in that order; in a long one neighbours, which often
// need each other, stay together.
//
// Of items of which nothing is known so many are removed together that this
// passes with probability [Params.Even], if the model is right. A failed set is split
// where its front part passes with that probability, given that something of it
// is needed; what has been found to be needed is behind the search, and what
// stood behind it in the set is like all the others. If all but one of a failed
// set could go, that one is needed and not tested.
//
// Guarantee: minimal if the property is monotone. Not 1-minimal otherwise:
// repeat it for that. If nothing can go, each item was tried alone.
//
// Cost: with k needed items of n, about log₂ of the number of ways to choose them,
// plus k. Nobody proved a bound; no random list, whatever the outcomes, came close to n(2+log₂ n).
//
// Like a Step it never changes.
type search struct {
	params    *Params
	order     []int     // the items
	front     []share   // of the items in front of each place: front[n] is the whole list
	forecast  *forecast // for the list
	posterior posterior
	kept      []int // needed items, all in front of at
	at        int   // the place of the first item that is not decided
	suspects  int   // how many items from at on are known to hold a needed one; 0 if nothing is known

	// clumped: needed items stand together, as those of a list of one node do;
	// behind a needed item a part of what the list has taught is forgotten.
	clumped bool
	before  *posterior // what was known before the list

	// worth reports whether the list is worth a test by which items may go that
	// are that share of its weight; the search ends if it is not. end is what
	// it ends with.
	worth func(chance, share, promise float64) bool
	end   func(s *search) *step
}

// searchOrder returns the items as they are searched.
func searchOrder(p *Params, weights []int) []int {
	total := 0
	for _, w := range weights {
		total += w
	}
	weight := func(item int) int { // of a heavy one
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

// searchIn returns the search of the items in that order.
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
		worth: func(_, _, _ float64) bool { return true },
		end:   func(*search) *step { return nil },
	}
}

// part returns the share of the items from place i up to place j.
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

// promise is the largest share of the list's weight that can be expected to go
// with the next test, whichever it is: even if little is likely to go, all of it
// may.
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

// rest returns the items that are left if all between the needed ones and that place go.
func (s search) rest(to int) []int {
	rest := slices.Concat(s.kept, s.order[to:])
	slices.Sort(rest)
	return rest
}

// removed is the search after the items in front of place to could go.
func (s search) removed(to int) search {
	s.posterior = s.posterior.removed(s.forecast, s.part(s.at, to))
	left := s.suspects - (to - s.at)
	s.at, s.suspects = to, max(left, 0)
	if left == 1 {
		return s.failed(to + 1)
	}
	return s
}

// failed is the search after the items in front of place to could not go. A
// single one is needed.
func (s search) failed(to int) search {
	if to-s.at > 1 {
		s.suspects = to - s.at
		return s
	}
	s.posterior = s.posterior.failed(s.forecast, s.part(s.at, to))
	if s.clumped {
		s.posterior = s.posterior.faded(s.before, s.params.Forget)
	}
	s.kept = append(slices.Clip(s.kept), s.order[s.at])
	s.at, s.suspects = to, 0
	return s
}

// pick returns the place in front of which everything is removed next, and how
// probable it is that this can go.
func (s search) pick() (to int, chance float64) {
	end := len(s.order)
	var passes func(to int) float64
	if s.suspects > 0 {
		whole := s.part(s.at, s.at+s.suspects)
		known := s.posterior.failed(s.forecast, whole)
		c := known.probabilities(s.params.Negligible)
		end = s.at + s.suspects - 1 // not all of them
		passes = func(to int) float64 { return c.passesOf(s.forecast, s.part(s.at, to), whole) }
	} else {
		c := s.posterior.probabilities(s.params.Negligible)
		passes = func(to int) float64 { return c.passes(s.forecast, s.part(s.at, to)) }
	}
	// The more go the less probable: look for the last place with even odds.
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
