package algo

// DDMin is ddmin, the minimizing delta debugging algorithm of Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input" (TSE 28(2), 2002), as described by Zhou et al., "WDD: Weighted Delta Debugging" (ICSE 2025),
// §II-A.
//
//	n=2   abcd....  ....efgh                          each chunk,
//	      ....efgh  abcd....                          then each complement
//	n=4   ab......  ..cd....  ....ef..  ......gh
//	      ..cdefgh  ab..efgh  abcd..gh  abcdef..
//	n=8   a.......  .b......  and so on
//
// Guarantee: 1-minimal. (This search never asks for the empty list.)
//
// Cost: at most n²+3n tests in the worst case; 2·log₂ n if one chunk is always interesting alone.
//
// Deviation: if the chunks cannot be equal, smaller ones come first; see [Cut].
func DDMin(weights []int) *Step[[]int] {
	return ddminRound(All(len(weights)), 2)
}

// ddminRound continues with n chunks, 2 ≤ n ≤ len(list) unless the list is too short.
func ddminRound(list []int, n int) *step {
	if len(list) < 2 {
		return nil
	}
	return ddminChunk(list, Cut(list, n), 0)
}

func ddminChunk(list []int, chunks [][]int, i int) *step {
	if i == len(chunks) {
		return ddminComplement(list, chunks, 0)
	}
	return Ask(chunks[i],
		func() *step { return ddminRound(chunks[i], 2) },
		func() *step { return ddminChunk(list, chunks, i+1) })
}

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

func ddminRefine(list []int, n int) *step {
	if n >= len(list) {
		return nil
	}
	return ddminRound(list, min(2*n, len(list)))
}
