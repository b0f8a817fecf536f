package whittle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/hdd"
	"whittle/oracle"
	"whittle/parse"
	"whittle/perses"
)

// pass is one way through a tree.
type pass struct {
	name   string
	once   bool // only in the first round
	search func(*parse.Tree, func(base, c *parse.Candidate) bool) *algo.Step[*parse.Candidate]
}

// Drivers gives the names of the drivers.
func Drivers() []string { return []string{"perses", "hdd", "hddr", "list"} }

// passesOf gives the passes that a driver is made of.
func passesOf(driver string, algorithm algo.Algorithm) ([]pass, error) {
	switch driver {
	case "perses":
		return []pass{comments, {name: "perses", search: func(t *parse.Tree, allows func(_, _ *parse.Candidate) bool) *algo.Step[*parse.Candidate] {
			return perses.Search(t, algorithm, allows)
		}}}, nil
	case "hdd":
		return []pass{comments, {name: "hdd", search: func(t *parse.Tree, _ func(_, _ *parse.Candidate) bool) *algo.Step[*parse.Candidate] {
			return hdd.Search(t, algorithm)
		}}}, nil
	case "hddr":
		return []pass{comments, {name: "hddr", search: func(t *parse.Tree, _ func(_, _ *parse.Candidate) bool) *algo.Step[*parse.Candidate] {
			return hdd.Recursive(t, algorithm)
		}}}, nil
	case "list":
		return []pass{{name: "list", once: true, search: func(t *parse.Tree, _ func(_, _ *parse.Candidate) bool) *algo.Step[*parse.Candidate] {
			return list(t, algorithm)
		}}}, nil
	}
	return nil, fmt.Errorf("no driver %q; there are %s", driver, strings.Join(Drivers(), ", "))
}

// comments tries the file without any of its comments, as one candidate. Later
// passes try each like any other node.
var comments = pass{name: "comments", once: true, search: func(t *parse.Tree, allows func(_, _ *parse.Candidate) bool) *algo.Step[*parse.Candidate] {
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
	if !allows(base, without) {
		return nil
	}
	return &algo.Step[*parse.Candidate]{Candidate: without, Next: func(algo.Outcome) *algo.Step[*parse.Candidate] { return nil }}
}}

// list runs the algorithm over the items of a file, the root's children, once.
func list(t *parse.Tree, algorithm algo.Algorithm) *algo.Step[*parse.Candidate] {
	base := parse.Whole(t)
	items := base.Children(0)
	weights := make([]int, len(items))
	for i, n := range items {
		weights[i] = base.WeightOf(n)
	}
	return algo.Run(&algo.Job[*parse.Candidate]{
		List: algorithm(weights),
		Lift: func(kept []int) (*parse.Candidate, bool) { return base.Keep(items, kept), true },
		Done: func([]int) *algo.Job[*parse.Candidate] { return nil },
	})
}

// newReduction checks the options and fills in the defaults.
func newReduction(o Options) (*reduction, error) {
	o.Driver = cmp.Or(o.Driver, DefaultDriver)
	o.Algorithm = cmp.Or(o.Algorithm, DefaultAlgorithm)
	o.P0 = cmp.Or(o.P0, DefaultP0)
	o.Jobs = max(o.Jobs, 1)
	if !slices.Contains(Drivers(), o.Driver) {
		return nil, fmt.Errorf("no driver %q; there are %s", o.Driver, strings.Join(Drivers(), ", "))
	}
	algorithm, err := algo.New(o.Algorithm, o.P0)
	if err != nil {
		return nil, err
	}
	passes, err := passesOf(o.Driver, algorithm)
	if err != nil {
		return nil, err
	}
	return &reduction{
		Options: o,
		passes:  passes,
		oracle:  &oracle.Oracle{Property: o.Property, Jobs: o.Jobs},
		result:  Result{File: o.Input},
	}, nil
}

// judge allows the candidates that have no more syntax errors than the input.
type judge struct {
	checker parse.Checker
	errors  int
}

func newJudge(l parse.Language, errors int) *judge { return &judge{l.Checker(), errors} }

func (j *judge) allows(base, c *parse.Candidate) bool {
	return j.checker == nil || j.checker.Errors(base.Render(), c.Render()) <= j.errors
}

func (j *judge) close() {
	if j.checker != nil {
		j.checker.Close()
	}
}
