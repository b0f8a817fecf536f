package whittle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whittle/hdd"
	"whittle/pass"
	"whittle/perses"
	"whittle/search"
)

// A driver is a row of the table of drivers.
type driver struct {
	name   string
	passes []pass.Pass
	// strict: no candidate has more syntax errors than the input had.
	strict bool
	// published: the algorithm searches its one list as it was published, one question
	// after the other, with the same initial probability however long the list is, and
	// learns nothing.
	published bool
}

func drivers() []driver {
	return []driver{
		{name: "perses", strict: true,
			passes: []pass.Pass{pass.Comments(), perses.Queue(), perses.Words(), perses.Slices(), pass.Layout()}},
		{name: "hdd", passes: []pass.Pass{pass.Comments(), hdd.Levels(), pass.Layout()}},
		{name: "hddr", passes: []pass.Pass{pass.Comments(), hdd.Recursive(), pass.Layout()}},
		{name: "list", passes: []pass.Pass{pass.Items()}, published: true},
	}
}

// Drivers returns the names of the drivers.
func Drivers() (names []string) {
	for _, d := range drivers() {
		names = append(names, d.name)
	}
	return names
}

func findDriver(name string) (driver, error) {
	all := drivers()
	if i := slices.IndexFunc(all, func(d driver) bool { return d.name == name }); i >= 0 {
		return all[i], nil
	}
	return driver{}, fmt.Errorf("no driver %q; there are %s", name, strings.Join(Drivers(), ", "))
}

// newReduction checks the options and fills in the defaults.
func newReduction(o Options) (*reduction, error) {
	o.Driver = cmp.Or(o.Driver, DefaultDriver)
	o.Algorithm = cmp.Or(o.Algorithm, DefaultAlgorithm)
	o.P0 = cmp.Or(o.P0, DefaultP0)
	o.Jobs = max(o.Jobs, 1)
	driver, err := findDriver(o.Driver)
	if err != nil {
		return nil, err
	}
	plan, err := o.plan(driver)
	if err != nil {
		return nil, err
	}
	r := &reduction{Options: o, plan: plan, result: Result{File: o.Input}}
	r.passes = slices.Concat(driver.passes, o.Passes)
	r.gate.strict, r.gate.language = driver.strict, o.Language
	r.runner = &search.Runner{Property: o.Property, Jobs: o.Jobs, Journal: o.Journal}
	if driver.strict {
		r.runner.Accepts = r.gate.keepsSyntax
	}
	return r, nil
}
