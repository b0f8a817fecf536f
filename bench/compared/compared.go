// Package compared holds algorithms that exist to be compared with: ddbench adds
// them to the table of those that whittle has. [Shuffled] makes one of another.
package compared

import "whittle/algo"

// step is a step of a list search.
type step = algo.Step[[]int]

// Table returns the table of the algorithms of this package.
func Table() algo.Table {
	return algo.Table{
		{Name: "chisel", With: func(algo.Params) algo.Algorithm { return Chisel }, Sequential: true},
		{Name: "activecoarsen", With: ActiveCoarsen, P0: true, Random: true, Empty: true, Sequential: true},
	}
}
