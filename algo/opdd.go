package algo

// OPDD is One Pass Delta Debugging of Gharachorlu and Sumner, "Avoiding the Familiar to Speed Up Test Case Reduction"
// (QRS 2018): [DDMin] without testing chunks alone and without going back after a success.
//
//	size 4   abcd efgh              each removed once,
//	size 2   ab cd ef gh            left to right,
//	size 1   a b c d e f g h        from the rest
//
// Guarantee: minimal if the property is monotone, by the last sweep. Otherwise repeat it for 1-minimality.
//
// Cost: less than 3n tests. The k-th size is ⌈n/2^k⌉ and makes at most 2^k runs.
//
// Deviation: each size is half of the previous one, rounded up (5 items: 3, 2, 1), from the length of the whole list.
func OPDD(weights []int) *Step[[]int] {
	return opddRound(All(len(weights)), half(len(weights)))
}

func opddRound(list []int, size int) *step {
	if len(list) == 0 {
		return nil
	}
	return Sweep(list, size, func(list []int) *step {
		if size == 1 {
			return nil
		}
		return opddRound(list, half(size))
	})
}

func half(n int) int { return (n + 1) / 2 }
