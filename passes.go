package whittle

import (
	"cmp"
	"fmt"
	"strings"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/hdd"
	"whittle/parse"
	"whittle/perses"
	"whittle/search"
)

// pass is one way through a tree.
type pass struct {
	name   string
	once   bool // only in the first round
	last   bool // only when a round has changed nothing
	search func(*parse.Tree, allows, rounds.Plan) *step
}

type (
	step = algo.Step[*parse.Candidate]
	// allows tells whether a candidate made from base is worth a test.
	allows = func(base, c *parse.Candidate) bool
)

// Drivers gives the names of the drivers.
func Drivers() []string { return []string{"perses", "hdd", "hddr", "list"} }

// passesOf gives the passes that a driver is made of.
func passesOf(driver string) ([]pass, error) {
	switch driver {
	case "perses":
		return []pass{comments, {name: "perses", search: perses.Search}, {name: "words", search: perses.Words}, {name: "slices", search: perses.Slices}, layout}, nil
	case "hdd":
		return []pass{comments, {name: "hdd", search: hdd.Search}, layout}, nil
	case "hddr":
		return []pass{comments, {name: "hddr", search: hdd.Recursive}, layout}, nil
	case "list":
		return []pass{{name: "list", once: true, search: list}}, nil
	}
	return nil, fmt.Errorf("no driver %q; there are %s", driver, strings.Join(Drivers(), ", "))
}

// comments tries the file without any of its comments, as one candidate. Later
// passes try each like any other node.
var comments = pass{name: "comments", once: true, search: func(t *parse.Tree, ok allows, _ rounds.Plan) *step {
	var found []int32
	for n := range t.Nodes {
		if t.Nodes[n].Comment && n > 0 {
			found = append(found, int32(n))
		}
	}
	if len(found) == 0 {
		return nil
	}
	base := parse.Whole(t)
	without := base.Drop(found...)
	if !ok(base, without) {
		return nil
	}
	return &step{Candidate: without, Next: func(algo.Outcome) *step { return nil }}
}}

// list runs the algorithm over the items of a file, the root's children, once.
func list(t *parse.Tree, allows allows, plan rounds.Plan) *step {
	base := parse.Whole(t)
	items := base.Children(0)
	weights := make([]int, len(items))
	for i, n := range items {
		weights[i] = base.WeightOf(n)
	}
	type none = struct{}
	plan.Width = 1
	d := rounds.Driver[*parse.Candidate, none]{Plan: plan, Allows: allows}
	return d.Only(base, &rounds.Task[*parse.Candidate, none]{
		List: algo.List{Mode: algo.Some, Weights: weights},
		Edit: func(base *parse.Candidate, kept []int) *parse.Candidate { return base.Keep(items, kept) },
	})
}

// newReduction checks the options and fills in the defaults.
func newReduction(o Options) (*reduction, error) {
	o.Driver = cmp.Or(o.Driver, DefaultDriver)
	o.Algorithm = cmp.Or(o.Algorithm, DefaultAlgorithm)
	o.P0 = cmp.Or(o.P0, DefaultP0)
	o.Jobs = max(o.Jobs, 1)
	plan, err := o.plan()
	if err != nil {
		return nil, err
	}
	passes, err := passesOf(o.Driver)
	if err != nil {
		return nil, err
	}
	r := &reduction{Options: o, passes: passes, plan: plan, result: Result{File: o.Input}}
	r.checker.language = o.Language
	r.oracle = &search.Runner{Property: o.Property, Jobs: o.Jobs, Journal: o.Journal}
	if o.Driver == "perses" {
		r.oracle.Accepts = r.keepsSyntax
	}
	return r, nil
}

// smallFile is the size in bytes below which a file is parsed whole to count its
// errors, in well under a millisecond.
const smallFile = 8 << 10

// largeFile is the size in bytes above which a file is not parsed whole before a
// test: that takes about as long as the test, and an interesting candidate is parsed
// whole in any case.
const largeFile = 128 << 10

// allows tells whether a candidate is worth a test: it is better than base, from
// which it was made, and where the driver is strict it has what it needs and no
// more syntax errors than base.
func (r *reduction) allows(base, c *parse.Candidate) bool {
	return better(c.Render(), base.Render()) && (r.Driver != "perses" || r.fits(base, c))
}

// fits tells whether a candidate has what it needs and no more syntax errors than
// the input. Of a large file only the surroundings of the change are parsed,
// unless those have errors without the change, which may hide errors of its own, and
// the file is not too large for that.
func (r *reduction) fits(base, c *parse.Candidate) bool {
	if !c.Coherent() {
		return false
	}
	if c.Tree().NoSyntax {
		return true
	}
	file := c.Render()
	if len(file) <= smallFile {
		return r.keepsSyntax(file)
	}
	nearBase, near := parse.Near(base, c)
	errors := r.checker.errors(near.Render())
	return errors == 0 || errors <= r.checker.errors(nearBase.Render()) && (len(file) > largeFile || r.keepsSyntax(file))
}

// keepsSyntax tells whether a file has no more syntax errors than the input.
func (r *reduction) keepsSyntax(file []byte) bool { return r.checker.errors(file) <= r.errors }
