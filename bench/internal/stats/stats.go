// Package stats provides statistics to compare measurements.
package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Geometric returns the geometric mean of positive values, or NaN without values.
func Geometric(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return stat.GeometricMean(values, nil)
}

// Wilcoxon returns the two-sided p-value of the signed-rank test that paired values do not
// differ. It is exact, also with ties, which get their average rank: all signs of the ranks are
// equally likely. Pairs without a difference are left out, as Wilcoxon did. Without pairs, it is
// 1. gonum has no such test.
func Wilcoxon(x, y []float64) float64 {
	var size []float64
	var more []bool
	for i := range x {
		if d := x[i] - y[i]; d != 0 {
			size, more = append(size, math.Abs(d)), append(more, d > 0)
		}
	}
	sum, most := 0, 0 // of doubled ranks, which are integers
	doubled := make([]int, len(size))
	for i, r := range ranks(size) {
		doubled[i] = int(2 * r)
		most += doubled[i]
		if more[i] {
			sum += doubled[i]
		}
	}
	chance := make([]float64, most+1) // probability of each sum
	chance[0] = 1
	for _, r := range doubled {
		for s := most; s >= 0; s-- {
			chance[s] /= 2
			if s >= r {
				chance[s] += chance[s-r] / 2
			}
		}
	}
	sum = min(sum, most-sum)
	p := 0.0
	for _, c := range chance[:sum+1] {
		p += c
	}
	return min(1, 2*p)
}

// ranks returns the ranks of values from 1 on, the average for equal values.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	r := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			r[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return r
}

// Spearman returns Spearman's rank correlation, with average ranks for ties. It is undefined if
// either side is constant.
func Spearman(x, y []float64) (rho float64, ok bool) {
	rho = stat.Correlation(ranks(x), ranks(y), nil)
	return rho, !math.IsNaN(rho)
}
