package algo_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

// The upper bounds on tests from the comments of the algorithms. For wprobdd there is no proof.
var bounds = map[string]func(p0, n float64) float64{
	"ddmin":  func(_, n float64) float64 { return n*n + 3*n }, // Zeller and Hildebrandt
	"wddmin": func(_, n float64) float64 { return n*n/2 + 6*n },
	"probdd": probddBound,
	"wprobdd": func(p0, n float64) float64 {
		return probddBound(p0, n) + n
	},
	"cdd": func(p0, n float64) float64 {
		// Σ⌈n/size⌉ with the sizes ⌊1/p⌋, ending with 1
		sum := n
		for p := p0; p <= 0.5*(1+algo.Tie); p *= 1.582 {
			sum += math.Ceil(n / math.Floor((1+algo.Tie)/p))
		}
		return sum
	},
	"opdd": func(_, n float64) float64 { return 3 * n },
}

func probddBound(p0, n float64) float64 {
	if p0 > 0.5 {
		return n
	}
	m := math.Floor(1 + math.Log(1/(2*p0))/math.Log(4./3))
	return n * (1 + m/2)
}

func TestAlgorithms(t *testing.T) {
	for _, e := range algo.Published() {
		algotest.Test(t, algotest.Subject{Entry: e, Bound: func(p0 float64, items int) float64 {
			return bounds[e.Name](p0, float64(items))
		}})
	}
}

func TestGolden(t *testing.T) { algotest.Golden(t, "../testdata/algo", algo.Published()) }

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name string
		p0   float64
		err  string
	}{
		{"ddmax", 0.1, `no algorithm "ddmax"; there are ddmin, wddmin, probdd, wprobdd, cdd, opdd`},
		{"", 0.1, `no algorithm ""; there are ddmin, wddmin, probdd, wprobdd, cdd, opdd`},
		{"probdd", 0, "p0 is 0, must be between 0 and 1"},
		{"probdd", 1, "p0 is 1, must be between 0 and 1"},
		{"ddmin", -2, "p0 is -2, must be between 0 and 1"},
		{"cdd", math.NaN(), "p0 is NaN, must be between 0 and 1"},
		{"cdd", 0.1, "<nil>"},
	} {
		_, err := algo.Published().Find(tt.name)
		if got := fmt.Sprint(cmp.Or(algo.Params{P0: tt.p0}.Check(), err)); got != tt.err {
			t.Errorf("%q with p0 %v: %s, want %s", tt.name, tt.p0, got, tt.err)
		}
	}
}
