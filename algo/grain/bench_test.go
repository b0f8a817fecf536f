package grain

import (
	"testing"

	"whittle/algo"
)

// The time of a question in a list of 20,000 items, one percent of them required.
func BenchmarkLong(b *testing.B) {
	weights := make([]int, 20_000)
	for i := range weights {
		weights[i] = 1 + i%7
	}
	questions := 0
	for range b.N {
		for s := Entry().With(algo.Params{})(weights); !s.Ended(); questions++ {
			needed := 0
			for _, item := range s.Candidate {
				if item%100 == 77 {
					needed++
				}
			}
			outcome := algo.Uninteresting
			if needed == len(weights)/100 {
				outcome = algo.Interesting
			}
			s = s.Next(outcome)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(questions), "ms/question")
}
