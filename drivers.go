package whittle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whittle/hdd"
	"whittle/internal/deps"
	"whittle/internal/plain"
	"whittle/internal/queue"
	"whittle/internal/search"
	"whittle/internal/wide"
	"whittle/parse"
	"whittle/pass"
	"whittle/perses"
	"whittle/rewrite"
)

// A Driver walks the tree: it is a list of passes.
type Driver struct {
	Name   string
	Passes []pass.Pass
	// Strict: no candidate has more syntax errors than the input.
	Strict bool
	// Rewrites: when deletion is stuck, nodes are replaced by simpler ones.
	Rewrites bool
	// Flat: the file is one list, the root's children. The algorithm searches it as published: one question after the
	// other, with P0 for all lengths and without experience from other lists.
	Flat bool
}

type DriverTable []Driver

// Drivers returns the drivers that [Options] may name.
func Drivers() DriverTable {
	return DriverTable{
		{Name: "coupled", Strict: true, Passes: []pass.Pass{pass.Comments(), deps.Definitions(),
			perses.Components(), perses.Columns(), perses.QueueUntil(), perses.Words(), perses.Slices(), pass.Layout()},
			Rewrites: true},
		{Name: "perses", Strict: true,
			Passes: []pass.Pass{pass.Comments(), perses.Queue(), perses.Words(), perses.Slices(), pass.Layout()}},
		{Name: "hdd", Passes: []pass.Pass{pass.Comments(), hdd.Levels(), pass.Layout()}},
		{Name: "hddr", Passes: []pass.Pass{pass.Comments(), hdd.Recursive(), pass.Layout()}},
		{Name: "list", Passes: []pass.Pass{pass.Items()}, Flat: true},
	}
}

// Names returns the names in the order of the table.
func (t DriverTable) Names() []string {
	names := make([]string, len(t))
	for i, d := range t {
		names[i] = d.Name
	}
	return names
}

// Find returns the driver with that name.
func (t DriverTable) Find(name string) (Driver, error) {
	if i := slices.IndexFunc(t, func(d Driver) bool { return d.Name == name }); i >= 0 {
		return t[i], nil
	}
	return Driver{}, fmt.Errorf("no driver %q; there are %s", name, strings.Join(t.Names(), ", "))
}

func newReduction(o Options) (*reduction, error) {
	o.Driver = cmp.Or(o.Driver, DefaultDriver)
	o.Algorithm = cmp.Or(o.Algorithm, DefaultAlgorithm)
	o.P0 = cmp.Or(o.P0, DefaultP0)
	o.Jobs = max(o.Jobs, 1)
	driver, err := Drivers().Find(o.Driver)
	if err != nil {
		return nil, err
	}
	plan, err := o.plan(driver)
	if err != nil {
		return nil, err
	}
	r := &reduction{Options: o, plan: plan, result: Result{File: o.Input}}
	first := func(p pass.Pass) bool { return p.When == pass.First }
	own := slices.Concat(o.rewriting(driver), driver.Passes)
	if o.Adapt != nil && driver.Rewrites && !o.NoRewrite {
		own = o.Adapt(own)
	}
	r.passes = slices.Concat(own, slices.DeleteFunc(slices.Clone(o.Passes), first))
	r.passes = append(slices.DeleteFunc(slices.Clone(o.Passes), func(p pass.Pass) bool { return !first(p) }), r.passes...)
	switch {
	case o.Wide < 0:
		return nil, fmt.Errorf("wide search: %d workers; must be at least 1", o.Wide)
	case o.Wide > 0 && driver.Flat:
		return nil, fmt.Errorf("driver %s searches one flat list; a wide search requires a tree", driver.Name)
	case o.Wide > 0:
		r.passes = abreast(o.Wide, r.passes)
	case driver.Rewrites:
		r.queue = o.queued(r.passes)
	}
	r.gate.strict, r.gate.language, r.gate.allowed = driver.Strict, o.Language, parse.Unreadable
	r.runner = &search.Runner{Property: o.Property, Jobs: o.Jobs, Journal: o.Journal}
	if o.Control != nil {
		r.runner.Steer, r.runner.Wake = o.Control.steer, o.Control.waker()
	}
	if driver.Strict {
		r.runner.Accepts = r.gate.keepsSyntax
	}
	return r, nil
}

func (o *Options) rewriting(driver Driver) (passes []pass.Pass) {
	if !driver.Rewrites || o.NoRewrite {
		return nil
	}
	passes = []pass.Pass{rewrite.Pass(slices.Concat(rewrite.Families(), o.Rewrites)...), plain.Literals()}
	if !o.KeepNames {
		passes = append(passes, plain.Names())
	}
	return passes // before the passes of the driver: the last of those is for the layout
}

func (o *Options) queued(passes []pass.Pass) *pass.Pass {
	other := func(p pass.Pass) bool { return p.When != pass.Rounds && p.When != pass.Stuck }
	q := queue.Pass(o.Prove, slices.DeleteFunc(slices.Clone(passes), other)...)
	return &q
}

// abreast combines the passes that delete or rewrite into one wide pass, followed in a sequence by the passes up to the
// first that is Late.
func abreast(width int, passes []pass.Pass) []pass.Pass {
	var turns [pass.Last + 1][]pass.Pass
	for _, p := range passes {
		turns[p.When] = append(turns[p.When], p)
	}
	var first, all []pass.Pass
	for _, p := range turns[pass.First] {
		if p.Plainer {
			first = append(first, p)
		} else {
			all = append(all, p)
		}
	}
	all = slices.Concat(all, turns[pass.Rounds], turns[pass.Stuck])
	sequence := []pass.Pass{wide.Pass(width, all...)}
	last := turns[pass.Last]
	for ; len(last) > 0 && !last[0].Late; last = last[1:] {
		sequence = append(sequence, last[0])
	}
	return slices.Concat(first, []pass.Pass{pass.Sequence(wide.Name, sequence...)}, turns[pass.Between],
		turns[pass.Fixpoint], last)
}
