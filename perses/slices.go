package perses

import (
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

const widest = 4

// Slices is a pass that removes runs of two to four siblings that cannot be removed separately, if the rest parses:
// some parts of a grammar have no node of their own. It is the token slicer of Perses, limited to siblings. It also
// tries single separators.
func Slices() pass.Pass { return pass.Pass{Name: "slices", Search: searchSlices} }

func searchSlices(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
	d, base := &driver{tree: t}, parse.Whole(t)
	windows := d.windows(base)
	type none = struct{}
	r := rounds.Driver[*parse.Candidate, none]{Plan: plan.Plan, Allows: func(base, c *candidate) bool {
		return c.Weight() < base.Weight() && gate.Allows(base, c)
	}}
	return r.Only(base, &rounds.Task[*parse.Candidate, none]{
		List: algo.List{Mode: algo.Single, Weights: make([]int, len(windows)), Known: d.knownRun(base, windows)},
		Edit: func(base *candidate, kept []int) *candidate {
			return drop(base, slices.Concat(parse.Others(windows, kept)...))
		},
	})
}

// windows returns the runs with a required node, from the end of the file, the widest first.
func (d *driver) windows(base *candidate) (windows [][]int32) {
	for n := int32(len(d.tree.Nodes)) - 1; n >= 0; n-- {
		children := base.Children(n)
		for width := min(widest, len(children)-1); width >= 1; width-- {
			for i := len(children) - width; i >= 0; i-- {
				window := children[i : i+width]
				if slices.ContainsFunc(window, d.tree.Needed) {
					continue
				}
				if slices.ContainsFunc(window, func(c int32) bool {
					slot := d.tree.Nodes[c].Slot
					return !slot.Droppable() && (width > 1 || slot == parse.Separator)
				}) {
					windows = append(windows, window)
				}
			}
		}
	}
	return windows
}
