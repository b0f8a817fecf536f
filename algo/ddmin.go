package algo

// DDMin is ddmin, the minimizing delta debugging algorithm of Zeller and Hildebrandt,
// "Simplifying and Isolating Failure-Inducing Input" (TSE 28(2), 2002), as told
// by Zhou et al., "WDD: Weighted Delta Debugging" (ICSE 2025), §II-A.
//
//	n=2   abcd....  ....efgh                          each chunk,
//	      ....efgh  abcd....                          then each complement
//	n=4   ab......  ..cd....  ....ef..  ......gh
//	      ..cdefgh  ab..efgh  abcd..gh  abcdef..
//	n=8   a.......  .b......  and so on
//
// Guarantee: 1-minimal; no single item of the result can be left out. (A result
// of one item was not tried against the empty list, which is never asked.)
//
// Cost: at most n²+3n tests, in the worst case; 2·log₂ n if one chunk is always
// interesting on its own.
//
// Chunks that do not come out even are smaller at the front; see [Cut].
func DDMin(weights []int) *Step[[]int] {
	return ddminRound(All(len(weights)), 2)
}

// ddminRound goes over the list in n chunks, 2 ≤ n ≤ len(list) unless the list
// is too short to be cut at all.
func ddminRound(list []int, n int) *step {
	if len(list) < 2 {
		return nil
	}
	return ddminChunk(list, Cut(list, n), 0)
}

// ddminChunk tests chunk i and those after it, each alone.
func ddminChunk(list []int, chunks [][]int, i int) *step {
	if i == len(chunks) {
		return ddminComplement(list, chunks, 0)
	}
	return Ask(chunks[i],
		func() *step { return ddminRound(chunks[i], 2) },
		func() *step { return ddminChunk(list, chunks, i+1) })
}

// ddminComplement tests the list without chunk i, then without those after it.
func ddminComplement(list []int, chunks [][]int, i int) *step {
	n := len(chunks)
	if i == n {
		return ddminRefine(list, n)
	}
	rest := Without(list, chunks[i])
	return Ask(rest,
		func() *step { return ddminRound(rest, max(n-1, 2)) },
		func() *step { return ddminComplement(list, chunks, i+1) })
}

// ddminRefine goes on with finer chunks after a round of n in vain.
func ddminRefine(list []int, n int) *step {
	if n >= len(list) {
		return nil
	}
	return ddminRound(list, min(2*n, len(list)))
}
