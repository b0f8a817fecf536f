package perses

import (
	"cmp"
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Components is a pass that removes statements together with all others that are connected to them by names, such as a
// part of a formula or a table of SQL with its rows and queries. It is our own; there is no paper.
//
// Its items are the connected components of the outermost statements. Two are connected if one of them declares a name
// that the other mentions. The grammar need not tell declarations: the first statement with the name declares it, if no
// other with the same first word has it.
func Components() pass.Pass { return pass.Pass{Name: "components", Search: searchComponents} }

const (
	componentKind = "components"
	fewestAlike   = 4   // statements with the same first word
	fewestJoined  = 3   // statements in a component, for at least two of them
	mostLoose     = 6   // questions without success, after which the run has no components
	leastTokens   = 500 // of a file
)

func searchComponents(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
	base, asked, accepted := parse.Whole(t), 0, 0
	if plan.Spent != nil {
		asked, accepted, _ = plan.Spent(componentKind)
	}
	if base.Weight() < leastTokens || asked >= mostRefused && accepted == 0 {
		return &pass.Step{End: plan.Policy}
	}
	components := componentsOf(base)
	joined := slices.DeleteFunc(slices.Clone(components), func(c []int32) bool { return len(c) < fewestJoined })
	if len(joined) < 2 {
		return &pass.Step{End: plan.Policy}
	}
	weights := make([]int, len(components))
	for i, c := range components {
		for _, n := range c {
			weights[i] += base.WeightOf(n)
		}
	}
	r := rounds.Driver[*candidate, struct{}]{Plan: plan.Plan, Allows: gate.Allows}
	return r.Only(base, &rounds.Task[*candidate, struct{}]{
		List: algo.List{Mode: algo.Items, Weights: weights, Whole: base.Weight(), Kind: componentKind},
		Edit: func(base *candidate, kept []int) *candidate {
			return drop(base, slices.Concat(parse.Others(components, kept)...))
		},
	})
}

// A statement is an outermost member of a plain list.
type statement struct {
	node  int32
	head  string   // the first word, perhaps a keyword
	names []string // distinct
}

// componentsOf returns the connected components of the statements that declare or mention a name.
func componentsOf(base *candidate) (components [][]int32) {
	all := statements(base)
	type use struct{ first, name string }
	alike, uses, mentions := map[string]int{}, map[use]int{}, map[string][]int{}
	for i, s := range all {
		alike[s.head]++
		for _, w := range s.names {
			uses[use{s.head, w}]++
			mentions[w] = append(mentions[w], i)
		}
	}
	leader := algo.All(len(all))
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	isNamed := make([]bool, len(all))
	for name, some := range mentions {
		head := all[some[0]].head
		if alike[head] < fewestAlike || uses[use{head, name}] > 1 {
			continue
		}
		for _, i := range some {
			isNamed[i] = true
			leader[find(i)] = find(some[0])
		}
	}
	index := map[int]int{}
	for i, s := range all {
		if !isNamed[i] {
			continue
		}
		at, known := index[find(i)]
		if !known {
			at = len(components)
			index[find(i)], components = at, append(components, nil)
		}
		components[at] = append(components[at], s.node)
	}
	return components
}

// statements returns the statements with names, in order.
func statements(base *candidate) (all []statement) {
	t := base.Tree()
	seen := map[string]int{} // the last statement with a name
	var walk func(n int32, in int)
	walk = func(n int32, in int) {
		if in >= 0 && t.IsLeaf(n) && !t.Nodes[n].Comment {
			for _, w := range parse.Words(base.TextOf(n)) {
				all[in].head = cmp.Or(all[in].head, w)
				if last, known := seen[w]; t.Nodes[n].Named && (!known || last != in) {
					seen[w], all[in].names = in, append(all[in].names, w)
				}
			}
		}
		for _, d := range base.Children(n) {
			if in < 0 && t.InPlainList(d) {
				all = append(all, statement{node: d})
				walk(d, len(all)-1)
			} else {
				walk(d, in)
			}
		}
	}
	walk(0, -1)
	return slices.DeleteFunc(all, func(s statement) bool { return len(s.names) == 0 })
}
