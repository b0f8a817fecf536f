package algo

import "math"

// CDD is the algorithm of Zhang et al., "Toward a Better Understanding of Probabilistic Delta Debugging" (ICSE 2025),
// Algorithm 2: [ProbDD] without probabilities. In ProbDD all p grow by about 1/(1-1/e) ≈ 1.582 in one round over the
// list, so the number of items to remove together follows from the round:
//
//	p0 = 0.25   round 0   p 0.25   size 4   abcd efgh
//	            round 1   p 0.40   size 2   ab cd ef gh
//	            round 2   p 0.63   size 1   a b c d e f g h
//
// Each round tries to remove each run of that size once, left to right; the last one may be shorter.
//
// Guarantee: minimal if the property is monotone, by the last round. Otherwise repeat it for 1-minimality.
//
// Cost: at most Σ⌈n/size⌉ tests over the rounds. This is O(n), because the sizes grow geometrically from the last round
// back; 2.1n+5 for p0 = 0.1.
//
// Deviation: of two sizes with the same gain, the larger is taken.
func CDD(p0 float64) Algorithm {
	return func(weights []int) *Step[[]int] { return cddRound(All(len(weights)), p0) }
}

func cddRound(list []int, p float64) *step {
	if len(list) == 0 {
		return nil
	}
	size := cddSize(p, len(list))
	chance := math.Pow(max(0, 1-p), float64(size)) // 0 means unknown, when p has grown to 1
	return sweep(list, size, chance, func(list []int) *step {
		if size == 1 {
			return nil
		}
		return cddRound(list, 1.582*p)
	})
}

// cddSize returns the size s up to limit with the largest expected gain s(1-p)^s, the larger of two equal ones: as in
// largestGain of ProbDD, the largest s with p ≤ 1/s.
func cddSize(p float64, limit int) int {
	s := min(float64(limit), (1+Tie)/p)
	return max(1, int(s))
}
