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

// Suffixes of algorithm names that exist only for measurements.
const (
	andEach  = "+each"     // followed by one more round of single items
	shuffled = "+shuffled" // each list is shuffled by the seed
)

func algorithms() algo.Table { return append(whittle.Algorithms(), compared.Table()...) }

// before returns the algorithm before the round of single items, or nil without such a round.
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

func (s spec) options() (whittle.Options, error) {
	o := whittle.Options{Driver: s.Driver, Width: s.Width, NoRewrite: true, Prove: true} // deletion only
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

// algorithm returns the algorithm of a run: a published one with a constant p0 or a suffix, or one that whittle lacks;
// nil for one of whittle's.
func algorithm(s spec) (algo.Algorithm, error) {
	name, each := strings.CutSuffix(s.Algorithm, andEach)
	name, shuffle := strings.CutSuffix(name, shuffled)
	e, err := algorithms().Find(name)
	if err != nil {
		return nil, fmt.Errorf("%w, each also with the suffix %s or %s", err, shuffled, andEach)
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
