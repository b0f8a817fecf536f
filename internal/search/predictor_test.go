package search

import (
	"testing"

	"whittle/algo"
)

func TestPredictorTrusts(t *testing.T) {
	for _, right := range []bool{true, false} {
		var p predictor
		sure, unsure := situation{chance: 0.9}, situation{chance: 0.1}
		if got := p.chance(sure); got <= p.chance(situation{}) {
			t.Errorf("at first what the search finds likely has chance %.2f", got)
		}
		for i := range 200 {
			s, o := sure, algo.Interesting
			if i%3 > 0 {
				s, o = unsure, algo.Uninteresting
			}
			if !right && i%2 > 0 {
				o = algo.Interesting - o
			}
			p.learn(s, o)
		}
		if high, low := p.chance(sure), p.chance(unsure); right != (high > 0.85 && low < 0.15) {
			t.Errorf("the search was right: %v; its 0.9 is %.2f now, its 0.1 is %.2f", right, high, low)
		}
	}
	var p predictor
	for range 50 {
		p.learn(situation{}, algo.Uninteresting)
	}
	if got := p.chance(situation{}); got > 0.05 {
		t.Errorf("after no for fifty times it is %.2f", got)
	}
}
