package perses

import (
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Words is a pass that removes all nodes that mention a name at once: an import goes only with the function that uses
// it, and a function only with its callers. It is our own, after users' reports; there is no paper.
//
// The items of its lists are the names in the file. Nodes that mention a name which then occurs only once go as well.
// The node for a name is the innermost enclosing member of a plain list, such as a statement. A second list uses the
// outermost member, and a third the innermost optional node, such as a parameter.
func Words() pass.Pass { return pass.Pass{Name: "words", Search: searchWords} }

func searchWords(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
	d := &driver{tree: t}
	next := func(base *candidate, which []around) (*namesTask, []around) {
		if len(which) == 0 {
			return nil, nil
		}
		return d.words(base, which[0]), which[1:]
	}
	r := rounds.Driver[*parse.Candidate, []around]{Plan: plan.Plan, Next: next, Allows: func(base, c *candidate) bool {
		return c.Weight() > 0 && c.Weight() < base.Weight() && gate.Allows(base, c)
	}}
	return r.Search(parse.Whole(t), []around{innermost})
}

// around selects the node around a name.
type around uint8

const (
	innermost around = iota // in plain lists
	outermost
	closest // the innermost optional node
)

type namesTask = rounds.Task[*parse.Candidate, []around]

func (d *driver) words(base *candidate, which around) *namesTask {
	names, members := d.mentions(base, which)
	if len(names) == 1 {
		names = nil
	}
	weights := make([]int, len(names))
	for i := range weights {
		weights[i] = 1 // all names count the same
	}
	return &namesTask{
		List: algo.List{
			Mode: algo.Some, Weights: weights, Whole: len(names), Kind: "names", Known: d.knownName(base, names, members),
		},
		Edit: func(base *candidate, kept []int) *candidate {
			return without(base, names, parse.Others(names, kept), members)
		},
		Done: func(base *candidate, kept []int, _ []around) (*namesTask, []around) {
			switch {
			case kept != nil:
				return d.words(base, which), nil
			case which == closest:
				return nil, nil
			}
			return nil, []around{which + 1}
		},
	}
}

// without drops the nodes of the unwanted names, then those of names that now occur only once.
func without(base *candidate, names, unwanted []string, members map[string][]int32) *candidate {
	var gone []int32
	for _, name := range unwanted {
		gone = append(gone, members[name]...)
	}
	c := drop(base, gone)
	for range sweeps {
		gone = gone[:0]
		for _, name := range names {
			if left := live(c, members[name]); len(left) == 1 {
				gone = append(gone, left[0])
			}
		}
		if len(gone) == 0 {
			break
		}
		c = drop(c, gone)
	}
	return c
}

func live(c *candidate, nodes []int32) (left []int32) {
	for _, n := range nodes {
		if c.Live(n) {
			left = append(left, n)
		}
	}
	return left
}

func drop(c *candidate, nodes []int32) *candidate {
	nodes = live(c, nodes)
	slices.Sort(nodes)
	return c.Drop(slices.Compact(nodes)...)
}

const sweeps = 8

// mentions returns the names that several nodes mention, the last in the file first, and these nodes.
func (d *driver) mentions(base *candidate, which around) (names []string, members map[string][]int32) {
	members = map[string][]int32{}
	var walk func(n, inner, outer int32)
	walk = func(n, inner, outer int32) {
		if d.tree.IsLeaf(n) && d.tree.Nodes[n].Named && inner >= 0 {
			for _, name := range parse.Words(base.TextOf(n)) {
				list, known := members[name]
				member := inner
				if !known {
					names = append(names, name)
				} else if which == outermost {
					member = outer
				}
				if len(list) == 0 || list[len(list)-1] != member {
					members[name] = append(list, member)
				}
			}
		}
		for _, c := range base.Children(n) {
			switch {
			case !d.tree.InPlainList(c) && !(which == closest && d.tree.Nodes[c].Slot.Droppable()):
				walk(c, inner, outer)
			case outer < 0:
				walk(c, c, c)
			default:
				walk(c, c, outer)
			}
		}
	}
	walk(0, -1, -1)
	names = slices.DeleteFunc(names, func(name string) bool { return len(members[name]) < 2 })
	slices.Reverse(names)
	return names, members
}
