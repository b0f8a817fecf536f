package whittle_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"whittle"
	"whittle/algo"
)

// The time of whittle itself for many items, one percent of them required.
func BenchmarkItems(b *testing.B) {
	var input bytes.Buffer
	input.WriteString("[0")
	for i := range 20_000 {
		fmt.Fprintf(&input, ",%d", i)
	}
	input.WriteString("]")
	var needed [][]byte
	for i := 77; i < 20_000; i += 100 {
		needed = append(needed, fmt.Appendf(nil, "%d", i))
	}
	for _, driver := range []string{"coupled", "perses", "hdd"} {
		b.Run(driver, func(b *testing.B) {
			for range b.N {
				began, tests := processorTime(b), 0
				r, err := whittle.Reduce(context.Background(), whittle.Options{
					Input: input.Bytes(), Language: language(b, "json"), Driver: driver, MaxTests: 2000,
					Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
						tests++
						next := 0
						for word := range bytes.FieldsFuncSeq(candidate, func(r rune) bool { return r < '0' || r > '9' }) {
							if next < len(needed) && bytes.Equal(word, needed[next]) {
								next++
							}
						}
						if next == len(needed) {
							return algo.Interesting, nil
						}
						return algo.Uninteresting, nil
					},
				})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric((processorTime(b)-began).Seconds()*1000/float64(tests), "cpu-ms/test")
				b.ReportMetric(float64(tests), "tests")
				b.ReportMetric(float64(r.Tokens), "tokens")
			}
		})
	}
}
