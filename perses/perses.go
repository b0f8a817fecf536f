// Package perses contains the quantified-node driver of Perses (Sun et al., ICSE 2018). Optional children are minimised
// as a list, and required nodes are replaced by compatible descendants.
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
	// depth is the maximum distance in nodes to a replacement below a node.
	depth = 5
	// most is the maximum number of replacements of a node. Its smallest parts are unlikely to suffice, and are tried
	// when the node is smaller.
	most = 20
)

// Queue is the pass of the paper, with any list algorithm: a queue of nodes by weight. Each is tried as a list of
// children, and as a replacement of its parent. Candidates with more syntax errors than the input are not tested.
//
// Deviations from the paper: slots come from one token of lookahead in the parse table rather than from a rewritten
// grammar, so every node may have items and replacements at once. A node that is required according to the table is
// also tried without, because the checker is more precise. Replacements are tried from the heaviest down, not from the
// lightest up: the heaviest is the most likely to succeed, and it is visited next.
func Queue() pass.Pass { return queueUntil(0, false) }

// QueueUntil is Queue for a driver with other passes that are effective on large files: there it ends after it has
// removed a part, so that they run again. It also searches the levels of nests and the parts between separators as
// lists, which is our own.
func QueueUntil() pass.Pass { return queueUntil(0.75, true) }

// large is the minimum size of a large file in tokens.
const large = 2000

// mostNames is the maximum size of a file whose names are searched in each candidate, in tokens.
const mostNames = 1 << 16

// queueUntil ends when less than this part of a large file is left.
func queueUntil(part float64, extended bool) pass.Pass {
	return pass.Pass{Name: "perses", Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		d := &driver{tree: t, extended: extended}
		base := parse.Whole(t)
		var names *pass.Names
		if extended && base.Weight() <= mostNames {
			names = pass.NamesOf(base)
		}
		r := rounds.Driver[*parse.Candidate, *queue]{
			Plan: plan.Plan, Allows: gate.Allows, Next: d.next,
			Undefines: func(base, c *parse.Candidate) []string { return names.Undefined(base, c, true) },
			Enough: func(now *parse.Candidate) bool {
				return now.Weight() >= large && float64(now.Weight()) < part*float64(base.Weight())
			},
		}
		return r.Search(base, (*queue)(nil).push(entry{0, base.Weight(), true, nil}))
	}}
}

type (
	candidate = parse.Candidate
	task      = rounds.Task[*parse.Candidate, *queue]
)

type driver struct {
	tree     *parse.Tree
	extended bool                // as QueueUntil; next levels may be far away
	last     *parse.Fingerprints // the last result of fingerprints
}

func (d *driver) next(base *candidate, q *queue) (*task, *queue) {
	if q == nil {
		return nil, nil
	}
	e, q := q.pop()
	if e.nest == nil {
		if levels := d.nest(base, e.node); levels != nil {
			return d.levels(base, levels), q
		}
	}
	return d.replace(base, e), q
}

// replace tries replacements of the node: removal, its minimal text, then its descendants.
func (d *driver) replace(base *candidate, e entry) *task {
	choices := d.replacements(base, e.node)
	if !e.tried {
		if base.Least(e.node) != nil {
			choices = append([]choice{{weight: 1, kind: "the least"}}, choices...)
		}
		if !d.tree.Needed(e.node) {
			choices = append([]choice{{kind: "nothing"}}, choices...)
		}
	}
	list := algo.List{Mode: algo.Choices, Whole: base.Weight()}
	for _, c := range choices {
		list.Weights, list.Kinds = append(list.Weights, base.WeightOf(e.node)-c.weight), append(list.Kinds, c.kind)
	}
	list.Within = func(i, other int) bool { return d.within(choices[i].run, choices[other].run) }
	list.Refuted = func(i int) bool { return e.nest.refutes(d.tree, e.node, choices[i]) }
	list.Known = d.known(func(i int) (own, around uint64) { return d.knownChoice(base, e.node, choices[i]) })
	return &task{
		Weight: base.WeightOf(e.node),
		List:   list,
		Edit: func(base *candidate, kept []int) *candidate {
			switch c := choices[kept[0]]; {
			case c.run != nil:
				return base.Hoist(e.node, c.run...)
			case c.weight == 0:
				return base.DropFiles(e.node)
			default:
				return base.Least(e.node)
			}
		},
		Done: func(base *candidate, kept []int, q *queue) (*task, *queue) {
			if kept == nil {
				return d.segments(base, e.node, e.nest), q
			}
			switch run := choices[kept[0]].run; len(run) {
			case 0:
				return nil, q
			case 1:
				return nil, q.push(entry{run[0], base.WeightOf(run[0]), false, e.nest.at(d.tree, run[0])})
			default: // the run is the rest of the parent's children
				return d.segments(base, d.tree.Nodes[run[0]].Parent, e.nest), q
			}
		},
	}
}

// A choice is a replacement of a node by a run of siblings below it. A nil run removes the node, or leaves its minimal
// text if weight is 1.
type choice struct {
	run    []int32
	weight int
	kind   string
}

// replacements returns the descendants of n that fit its slot, and runs of siblings inside other descendants: the
// heaviest first, then by position. Runs inside a fitting descendant hardly succeed if it fails, else they are tried
// later.
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
	next, half := d.distant(base, n)
	if next >= 0 && d.extended {
		found = append(found, choice{[]int32{next}, base.WeightOf(next), "a descendant"})
	}
	slices.SortStableFunc(found, func(a, b choice) int { return cmp.Compare(b.weight, a.weight) })
	found = found[:min(len(found), most)]
	if half >= 0 {
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

// distant finds replacements of n more than depth steps below it, on the path of the heaviest children: the next of its
// kind, if none is nearer, and the first that weighs at most half of n. -1 means none.
func (d *driver) distant(base *candidate, n int32) (next, half int32) {
	weight, isNear := base.WeightOf(n), false
	next = -1
	for level, m := 1, d.heaviest(base, n); m >= 0; level, m = level+1, d.heaviest(base, m) {
		w := base.WeightOf(m)
		fits := w < weight && d.tree.Replaceable(n, m)
		switch {
		case w <= weight/2 && level <= depth:
			return -1, -1
		case fits && w <= weight/2:
			return next, m
		case fits && !isNear && d.tree.Kind(m) == d.tree.Kind(n):
			isNear = true
			if level > depth {
				next = m
			}
		}
	}
	return next, -1
}

// list minimises the optional children of n, repeats until that fails, then queues the rest.
func (d *driver) list(base *candidate, n int32, levels nest, kind string) *task {
	items := base.Items(n)
	slices.Reverse(items) // uses come after definitions, so try them first
	weights := make([]int, len(items))
	for i, item := range items {
		weights[i] = base.WeightOf(item)
	}
	return &task{
		Weight: base.WeightOf(n),
		List: algo.List{Weights: weights, Whole: base.Weight(), Kind: kind, Known: d.knownItem(base, items),
			Refuted: func(i int) bool { return levels.removes(d.tree, items[i]) }},
		Edit: func(base *candidate, kept []int) *candidate { return base.DropFiles(parse.Others(items, kept)...) },
		Done: func(base *candidate, kept []int, q *queue) (*task, *queue) {
			if len(kept) > 0 {
				return d.list(base, n, levels, "children once more"), q
			}
			for _, c := range base.Children(n) {
				_, tried := slices.BinarySearchFunc(items, c, func(item, c int32) int { return cmp.Compare(c, item) })
				if d.tree.Nodes[c].Slot != parse.Separator && (!tried || !d.tree.IsLeaf(c)) {
					weight := base.WeightOf(c)
					if d.tree.IsDirectory(c) {
						weight = math.MaxInt // whole files first
					}
					q = q.push(entry{c, weight, tried, levels.at(d.tree, c)})
				}
			}
			return nil, q
		},
	}
}
