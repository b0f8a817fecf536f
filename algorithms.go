package whittle

import (
	"cmp"

	"whittle/algo"
	"whittle/algo/c2d2"
	"whittle/algo/grain"
	"whittle/algo/rounds"
)

type algorithm struct {
	algo.Entry
	policy func(*Options, algo.Params) rounds.Policy
}

func algorithms() []algorithm {
	var table []algorithm
	for _, e := range append(algo.Published(), c2d2.Entry()) {
		table = append(table, algorithm{e, func(_ *Options, p algo.Params) rounds.Policy {
			return rounds.Plain(e.Adaptive(p))
		}})
	}
	ours := func(o *Options, _ algo.Params) rounds.Policy {
		p := grain.Defaults()
		p.Prove = o.Prove
		return grain.Policy(p)
	}
	return append(table, algorithm{grain.Entry(), ours})
}

// Algorithms returns the algorithms that [Options] may name.
func Algorithms() algo.Table {
	var table algo.Table
	for _, a := range algorithms() {
		table = append(table, a.Entry)
	}
	return table
}

func (o *Options) plan(d Driver) (rounds.Plan, error) {
	plan := rounds.Plan{Policy: o.Policy, Width: cmp.Or(o.Width, DefaultWidth)}
	if d.Flat {
		plan.Width = 1
	}
	if plan.Policy != nil {
		return plan, nil
	}
	params := algo.Params{P0: o.P0}
	if err := params.Check(); err != nil {
		return plan, err
	}
	for _, a := range algorithms() {
		if a.Name != o.Algorithm {
			continue
		}
		if a.Sequential && o.Width == 0 {
			plan.Width = 1
		}
		plan.Policy = a.policy(o, params)
		if d.Flat {
			plan.Policy = rounds.Plain(a.With(params))
		}
		return plan, nil
	}
	_, err := Algorithms().Find(o.Algorithm)
	return plan, err
}
