package algo

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// grain is our own: the generalised binary splitting of group testing, which is
// within one test for each needed item of what information theory allows, with
// a model that learns how much of a list is needed while it is searched.
// docs/algorithm.md tells of it at length.
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
// passes with probability even, if the model is right. A failed set is split
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
func grain(weights []int) *step {
	return newGrain(weights, hunch{}).search()
}

// even is the probability of success that questions are chosen for. The answer
// to a question of probability 1/2 tells most.
const even = 0.5

// grainSearch is the state of a search by grain. Like a Step it never changes.
type grainSearch struct {
	order    []int     // the items
	front    []share   // of the items in front of each place: front[n] is the whole list
	forecast *forecast // for the list
	hunch    hunch
	kept     []int // needed items, all in front of at
	at       int   // the place of the first item that is not decided
	suspects int   // how many items from at on are known to hold a needed one; 0 if nothing is known

	// clumped tells that needed items stand together, as those of a list of one
	// node do: behind a needed item half of what the list has taught is forgotten.
	clumped bool
	before  hunch // what was known before the list

	// worth tells whether the list is worth a test by which items may go that
	// are that share of its weight; the search ends if it is not. end is what
	// it ends with.
	worth func(chance, share, promise float64) bool
	end   func(h hunch) *step
}

// heavy is the part of a list that an item weighs to come first.
const heavy = 1. / 32

// short is the length of a list of which all items are in the order of weight.
const short = 16

// searchOrder gives the items as they are searched.
func searchOrder(weights []int) []int {
	total := 0
	for _, w := range weights {
		total += w
	}
	weight := func(item int) int { // of a heavy one
		if len(weights) <= short || float64(weights[item]) > heavy*float64(total) {
			return weights[item]
		}
		return 0
	}
	order := all(len(weights))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	return order
}

func newGrain(weights []int, h hunch) grainSearch {
	n := len(weights)
	order, front := searchOrder(weights), make([]share, n+1)
	for p := range pulls {
		for i, item := range order {
			front[i+1][p] = front[i][p] + math.Pow(float64(max(weights[item], 1)), pullOf(p))
		}
		for i := range front {
			front[i][p] /= front[n][p]
		}
	}
	return grainSearch{
		order: order, front: front, forecast: forecastOf(n), hunch: h, before: h,
		worth: func(_, _, _ float64) bool { return true },
		end:   func(hunch) *step { return nil },
	}
}

// part gives the share of the items from place i up to place j.
func (g grainSearch) part(i, j int) share { return g.front[j].minus(g.front[i]) }

func (g grainSearch) search() *step {
	if g.at == len(g.order) {
		return g.end(g.hunch)
	}
	to, chance := g.pick()
	if g.suspects == 0 && !g.worth(chance, g.part(g.at, to)[pulls-1], g.promise()) {
		return g.end(g.hunch)
	}
	return ask(g.rest(to),
		func() *step { return g.removed(to).search() },
		func() *step { return g.failed(to).search() })
}

// promise is the largest share of the list's weight that can be expected to go
// with the next test, whichever it is: even if little is likely to go, all of it
// may.
func (g grainSearch) promise() (most float64) {
	c := g.hunch.credence()
	for k := 1; ; k = min(2*k, len(g.order)-g.at) {
		part := g.part(g.at, g.at+k)
		most = max(most, part[pulls-1]*c.passes(g.forecast, part))
		if g.at+k == len(g.order) {
			return most
		}
	}
}

// rest gives the items that are left if all between the needed ones and that place go.
func (g grainSearch) rest(to int) []int {
	rest := slices.Concat(g.kept, g.order[to:])
	slices.Sort(rest)
	return rest
}

// removed is the search after the items in front of place to could go.
func (g grainSearch) removed(to int) grainSearch {
	g.hunch = g.hunch.removed(g.forecast, g.part(g.at, to))
	left := g.suspects - (to - g.at)
	g.at, g.suspects = to, max(left, 0)
	if left == 1 {
		return g.failed(to + 1)
	}
	return g
}

// failed is the search after the items in front of place to could not go. A
// single one is needed.
func (g grainSearch) failed(to int) grainSearch {
	if to-g.at > 1 {
		g.suspects = to - g.at
		return g
	}
	g.hunch = g.hunch.failed(g.forecast, g.part(g.at, to))
	if g.clumped {
		g.hunch = g.hunch.fadedTo(g.before)
	}
	g.kept = append(slices.Clip(g.kept), g.order[g.at])
	g.at, g.suspects = to, 0
	return g
}

// pick gives the place in front of which everything is removed next, and how
// probable it is that this can go.
func (g grainSearch) pick() (to int, chance float64) {
	end := len(g.order)
	var passes func(to int) float64
	if g.suspects > 0 {
		whole := g.part(g.at, g.at+g.suspects)
		c := g.hunch.failed(g.forecast, whole).credence()
		end = g.at + g.suspects - 1 // not all of them
		passes = func(to int) float64 { return c.passesOf(g.forecast, g.part(g.at, to), whole) }
	} else {
		c := g.hunch.credence()
		passes = func(to int) float64 { return c.passes(g.forecast, g.part(g.at, to)) }
	}
	// The more go the less probable: look for the last place with even odds.
	more := sort.Search(end-g.at, func(k int) bool { return passes(g.at+1+k) < even })
	to = min(g.at+1+more, end)
	chance = passes(to)
	if before := to - 1; before > g.at {
		if p := passes(before); p-even < even-chance {
			to, chance = before, p
		}
	}
	return to, chance
}
