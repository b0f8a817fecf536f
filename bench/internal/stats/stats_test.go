package stats

import (
	"math"
	"testing"
)

// Published p-values: of R's package exactRankTests, for the depression data of Hollander and
// Wolfe (one-sided 0.01953) and for data with ties and zeros (0.1367), see its documentation and
// the R-help list, 25 August 2006; the minimum of six pairs, 2/2⁶; and equal pairs.
func TestWilcoxon(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y []float64
		want float64
	}{
		{"depression", []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
			[]float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}, 0.0390625},
		{"ties and zeros", []float64{9, 14, 8, 11, 14, 10, 8, 14, 12, 14, 13, 9, 15, 12, 9},
			[]float64{13, 15, 9, 12, 16, 10, 8, 13, 12, 16, 9, 10, 16, 12, 9}, 0.1367},
		{"all more", []float64{2, 3, 4, 5, 6, 7}, []float64{1, 1, 1, 1, 1, 1}, 0.03125},
		{"the same", []float64{2, 3}, []float64{2, 3}, 1},
	} {
		for range 2 {
			if got := Wilcoxon(c.x, c.y); math.Abs(got-c.want) > 5e-5 {
				t.Errorf("%s: p = %v, want %v", c.name, got, c.want)
			}
			c.x, c.y = c.y, c.x
		}
	}
}

// The textbook example of IQ and hours of television: ρ is -29/165.
func TestSpearman(t *testing.T) {
	iq := []float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}
	hours := []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}
	if rho, ok := Spearman(iq, hours); !ok || math.Abs(rho+29.0/165) > 1e-12 {
		t.Errorf("ρ = %v, want %v", rho, -29.0/165)
	}
}

func TestGeometric(t *testing.T) {
	if got := Geometric([]float64{1, 10, 100}); math.Abs(got-10) > 1e-9 {
		t.Errorf("the geometric mean of 1, 10 and 100 is %v", got)
	}
}
