package perses

import (
	"slices"

	"whittle/algo"
	"whittle/parse"
)

// segments returns the search for the parts of a node between separators, if some have several children, as in the
// arguments of a macro of Rust. The search for its children follows.
func (d *driver) segments(base *candidate, n int32, levels nest) *task {
	if !d.extended {
		return d.list(base, n, levels, "children")
	}
	segments := make([][]int32, max(d.cells(base, n), 1))
	several := false
	for i, child := range d.inCells(base, n) {
		segments[i] = append(segments[i], child)
		several = several || len(segments[i]) > 2 || len(segments[i]) == 2 && !d.separates(base, segments[i][0])
	}
	segments = slices.DeleteFunc(segments, func(s []int32) bool { return s == nil })
	if len(segments) < 2 || !several {
		return d.list(base, n, levels, "children")
	}
	weights := make([]int, len(segments))
	for i, s := range segments {
		weights[i] = d.weigh(base, s)
	}
	return &task{
		Weight: base.WeightOf(n),
		List: algo.List{
			Mode: algo.Items, Weights: weights, Whole: base.Weight(), Kind: "segments", Known: d.knownRun(base, segments),
		},
		Edit: func(base *candidate, kept []int) *candidate {
			gone := slices.Concat(parse.Others(segments, kept)...)
			if len(kept) > 0 && kept[0] > 0 { // the separator before it
				gone = append(gone, segments[kept[0]][0])
			}
			return base.Clear(gone...)
		},
		Done: func(base *candidate, _ []int, q *queue) (*task, *queue) {
			return d.list(base, n, levels, "children"), q
		},
	}
}
