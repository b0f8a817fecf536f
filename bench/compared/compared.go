// Package compared contains algorithms for comparisons with whittle's own; ddbench adds them to
// its table. [Shuffled] randomises an algorithm.
package compared

import "whittle/algo"

type step = algo.Step[[]int]

// Table returns the algorithms of this package.
func Table() algo.Table {
	return algo.Table{
		{Name: "chisel", With: func(algo.Params) algo.Algorithm { return Chisel }, Sequential: true},
		{Name: "activecoarsen", With: ActiveCoarsen, P0: true, Random: true, Empty: true, Sequential: true},
	}
}
