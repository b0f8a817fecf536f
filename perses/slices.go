package perses

import (
	"whittle/algo"
	"whittle/parse"
)

// widest is the number of siblings in the widest window.
const widest = 4

// Slices is a pass that tries the file without each two to four neighbouring
// siblings that cannot go one by one, as far as they parse without: grammars
// have parts that show no node of their own. It is the token slicer of Perses,
// kept within nodes.
func Slices(t *parse.Tree, algorithm algo.Algorithm, allows func(base, candidate *parse.Candidate) bool) *algo.Step[*parse.Candidate] {
	d := &driver{t, algorithm, allows}
	base := parse.Whole(t)
	return algo.Run(d.slices(base, d.windows(base)))
}

// slices tries the windows in order; after one that could go it goes on with
// those behind it.
func (d *driver) slices(base *candidate, windows [][]int32) *job {
	return &job{
		List: algo.First(len(windows)),
		Lift: func(kept []int) (*candidate, bool) {
			c := base.Drop(windows[kept[0]]...)
			return c, c.Weight() < base.Weight() && d.allows(base, c)
		},
		Done: func(kept []int) *job {
			if kept == nil {
				return nil
			}
			return d.slices(base.Drop(windows[kept[0]]...), windows[kept[0]+1:])
		},
	}
}

// windows gives the runs of siblings of which one at least is no item, from the
// end of the file, the widest first.
func (d *driver) windows(base *candidate) (windows [][]int32) {
	for n := int32(len(d.tree.Nodes)) - 1; n >= 0; n-- {
		children := base.Children(n)
		for width := min(widest, len(children)-1); width >= 2; width-- {
			for i := len(children) - width; i >= 0; i-- {
				window := children[i : i+width]
				for _, c := range window {
					if !d.tree.Nodes[c].Slot.Droppable() {
						windows = append(windows, window)
						break
					}
				}
			}
		}
	}
	return windows
}
