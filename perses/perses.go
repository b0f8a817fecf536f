// Package perses is the quantified-node driver of Perses (Sun et al., ICSE
// 2018): a queue of nodes by live weight; what the grammar lets go is minimised
// as a list, and what must stay is replaced by a fitting descendant.
package perses

import (
	"cmp"
	"math"
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

const (
	// depth is how far below a node its replacements are looked for, in nodes.
	depth = 5
	// most is how many of them are tried. What a large node has beyond that
	// are its smallest parts, which are unlikely to be all that matters; when
	// it has become small they have their turn.
	most = 20
)

// Queue is the pass of the paper, with any list algorithm: a queue of nodes by
// weight, each tried as a list of children and in the place of its parent. The gate
// is asked about every candidate, so that nothing is tested that has more syntax
// errors than the input.
//
// Deviations from the paper: the slots come from one token of lookahead in the
// parse table rather than from a rewritten grammar, so every node may have
// items and replacements at once; a node that the table holds for required is
// also tried without, for the checker knows better. Replacements are tried from
// the heaviest down, not from the lightest up: the heaviest is the likeliest to
// hold what matters, and what replaced a node is looked at next.
func Queue() pass.Pass { return queueUntil(0) }

// QueueUntil is Queue for a driver with other passes that are good at large files: of
// those it takes a part away and ends, for the others to have their turn again.
func QueueUntil() pass.Pass { return queueUntil(0.75) }

// large is how many tokens are left of a large file at least.
const large = 2000

// queueUntil ends once less than that part of a large file is left.
func queueUntil(part float64) pass.Pass {
	return pass.Pass{Name: "perses", Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		d := &driver{tree: t}
		base := parse.Whole(t)
		r := rounds.Driver[*parse.Candidate, *queue]{
			Plan: plan.Plan, Allows: gate.Allows, Next: d.next,
			Enough: func(now *parse.Candidate) bool {
				return now.Weight() >= large && float64(now.Weight()) < part*float64(base.Weight())
			},
		}
		return r.Search(base, (*queue)(nil).push(entry{0, base.Weight(), true}))
	}}
}

type (
	candidate = parse.Candidate
	task      = rounds.Task[*parse.Candidate, *queue]
)

type driver struct {
	tree *parse.Tree
	last *parse.Fingerprints // that was asked for
}

// next returns the task for the heaviest of the nodes that wait.
func (d *driver) next(base *candidate, q *queue) (*task, *queue) {
	if q == nil {
		return nil, nil
	}
	e, q := q.pop()
	return d.replace(base, e), q
}

// replace tries what may stand in for the node: nothing, the least, then what is
// below it.
func (d *driver) replace(base *candidate, e entry) *task {
	choices := d.replacements(base, e.node)
	if !e.tried {
		if base.Least(e.node) != nil {
			choices = append([]choice{{weight: 1, kind: "the least"}}, choices...)
		}
		choices = append([]choice{{kind: "nothing"}}, choices...)
	}
	list := algo.List{Mode: algo.Choices, Whole: base.Weight()}
	for _, c := range choices {
		list.Weights, list.Kinds = append(list.Weights, base.WeightOf(e.node)-c.weight), append(list.Kinds, c.kind)
	}
	list.Within = func(i, other int) bool { return d.within(choices[i].run, choices[other].run) }
	list.Known = func(i int) (own, around uint64) { return d.knownChoice(base, e.node, choices[i]) }
	return &task{
		Weight: base.WeightOf(e.node),
		List:   list,
		Edit: func(base *candidate, kept []int) *candidate {
			switch c := choices[kept[0]]; {
			case c.run != nil:
				return base.Hoist(e.node, c.run...)
			case c.weight == 0:
				return base.Drop(e.node)
			default:
				return base.Least(e.node)
			}
		},
		Done: func(base *candidate, kept []int, q *queue) (*task, *queue) {
			if kept == nil {
				return d.list(base, e.node, "children"), q
			}
			switch run := choices[kept[0]].run; len(run) {
			case 0:
				return nil, q
			case 1:
				return nil, q.push(entry{run[0], base.WeightOf(run[0]), false})
			default: // they are all that is left of the node they were in
				return d.list(base, d.tree.Nodes[run[0]].Parent, "children"), q
			}
		},
	}
}

// A choice is what may stand in for a node: a descendant or a run of siblings
// below it, or where run is nil nothing, or the least that the grammar wants.
type choice struct {
	run    []int32
	weight int
	kind   string
}

// replacements returns the descendants of n that fit its slot, and the rows in those
// that do not: the heaviest first, then the earlier. The rows in one that fits have
// their turn when it has replaced n; if it may not, they hardly will.
func (d *driver) replacements(base *candidate, n int32) []choice {
	if n == 0 {
		return nil
	}
	var found []choice
	var walk func(m int32, weight, level int, fits bool)
	walk = func(m int32, weight, level int, fits bool) {
		children := base.Children(m)
		if !fits {
			for _, run := range d.tree.Runs(children) {
				if d.tree.Replaceable(n, run...) {
					found = append(found, choice{run, d.weigh(base, run), "a row"})
				}
			}
		}
		for _, c := range children {
			w := base.WeightOf(c)
			fits := w < weight && d.tree.Replaceable(n, c)
			if fits {
				found = append(found, choice{[]int32{c}, w, "a descendant"})
			}
			if level < depth && !d.tree.IsLeaf(c) {
				walk(c, w, level+1, fits)
			}
		}
	}
	walk(n, base.WeightOf(n), 1, false)
	slices.SortStableFunc(found, func(a, b choice) int { return cmp.Compare(b.weight, a.weight) })
	found = found[:min(len(found), most)]
	if half := d.half(base, n); half >= 0 {
		found = append([]choice{{[]int32{half}, base.WeightOf(half), "a descendant"}}, found...)
	}
	return found
}

func (d *driver) weigh(base *candidate, nodes []int32) (weight int) {
	for _, n := range nodes {
		weight += base.WeightOf(n)
	}
	return weight
}

// half returns the descendant that fits the slot of n, weighs at most half of it,
// and is reached from it by going to the heaviest child, if that takes more than
// depth steps: so deep nests are halved. It returns -1 if there is none.
func (d *driver) half(base *candidate, n int32) int32 {
	weight := base.WeightOf(n)
	for level, m := 1, n; ; level++ {
		heaviest, w := int32(-1), 0
		for _, c := range base.Children(m) {
			if v := base.WeightOf(c); v > w {
				heaviest, w = c, v
			}
		}
		switch {
		case heaviest < 0:
			return -1
		case w <= weight/2 && level <= depth:
			return -1
		case w <= weight/2 && d.tree.Replaceable(n, heaviest):
			return heaviest
		}
		m = heaviest
	}
}

// list minimises the children of n that may go, until the algorithm lets go of
// nothing more, then queues all that stay.
func (d *driver) list(base *candidate, n int32, kind string) *task {
	items := base.Items(n)
	slices.Reverse(items) // what is used stands before what uses it
	weights := make([]int, len(items))
	for i, item := range items {
		weights[i] = base.WeightOf(item)
	}
	return &task{
		Weight: base.WeightOf(n),
		List:   algo.List{Weights: weights, Whole: base.Weight(), Kind: kind, Known: d.knownItem(base, items)},
		Edit:   func(base *candidate, kept []int) *candidate { return base.Keep(items, kept) },
		Done: func(base *candidate, kept []int, q *queue) (*task, *queue) {
			if len(kept) > 0 {
				return d.list(base, n, "children once more"), q
			}
			for _, c := range base.Children(n) {
				_, tried := slices.BinarySearchFunc(items, c, func(item, c int32) int { return cmp.Compare(c, item) })
				if d.tree.Nodes[c].Slot != parse.Separator && (!tried || !d.tree.IsLeaf(c)) {
					weight := base.WeightOf(c)
					if d.tree.IsDirectory(c) {
						weight = math.MaxInt // whole files first
					}
					q = q.push(entry{c, weight, tried})
				}
			}
			return nil, q
		},
	}
}
