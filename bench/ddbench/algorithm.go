package main

import (
	"cmp"
	"fmt"
	"strings"

	"whittle"
	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/bench/compared"
)

// The ends of names of algorithms that are for measuring only.
const (
	andEach  = "+each"     // single items are tried once more after it
	shuffled = "+shuffled" // over each list in an order that the seed gives
)

// algorithms returns the algorithms that whittle has and those it is compared with.
func algorithms() algo.Table { return append(whittle.Algorithms(), compared.Table()...) }

// before returns the algorithm that a run has single items tried after; nil if it
// has not.
func before(s spec) algo.Algorithm {
	name, each := strings.CutSuffix(s.Algorithm, andEach)
	if !each {
		return nil
	}
	s.Algorithm, s.P0 = name, cmp.Or(s.P0, whittle.DefaultP0)
	a, err := algorithm(s)
	if err != nil {
		return nil
	}
	return a
}

// options are those of whittle that the run asks for.
func (s spec) options() (whittle.Options, error) {
	o := whittle.Options{Driver: s.Driver, Width: s.Width, NoRewrite: true} // what is compared deletes
	if name, constant, ok := strings.Cut(s.Algorithm, ":"); ok && name == grain.Name {
		params, err := scaled(constant)
		o.Policy = grain.Policy(params)
		return o, err
	}
	list, err := algorithm(s)
	if list == nil {
		o.Algorithm = s.Algorithm
	} else {
		o.Policy = rounds.Plain(list)
	}
	return o, err
}

// algorithm returns the one that a run asks for: a published one with a constant
// p0, or with an addition, or one that whittle has not. Nil stands for the name as
// whittle knows it.
func algorithm(s spec) (algo.Algorithm, error) {
	name, each := strings.CutSuffix(s.Algorithm, andEach)
	name, shuffle := strings.CutSuffix(name, shuffled)
	e, err := algorithms().Find(name)
	if err != nil {
		return nil, fmt.Errorf("%w, each also with %s or %s behind it", err, shuffled, andEach)
	}
	params := algo.Params{P0: cmp.Or(s.P0, whittle.DefaultP0), Seed: s.Seed}
	a := e.With(params)
	switch {
	case shuffle:
		a = compared.Shuffled(a, s.Seed)
	case s.P0 == 0 && !each:
		if _, err := whittle.Algorithms().Find(name); err == nil {
			return nil, nil
		}
		return e.Adaptive(params), nil
	}
	if each {
		a = algo.ThenEach(a)
	}
	return a, nil
}
