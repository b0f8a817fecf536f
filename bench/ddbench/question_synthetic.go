package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"whittle/algo"
	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
	"whittle/bench/synthetic"
)

// syntheticTable analyses random lists as the WDD paper, §IV-D, with the distance from the bound.
func syntheticTable(e *evaluation, _ []*grid) string {
	lists := make([]synthetic.List, e.lists)
	bounds := make([]float64, e.lists)
	for i := range lists {
		lists[i] = synthetic.Random(rand.New(rand.NewPCG(e.seed, uint64(i))))
		bounds[i] = float64(max(1, lists[i].Bound()))
	}
	t := page.NewTable(fmt.Sprintf("%d lists", e.lists), "tests, mean", "against ddmin", "geometric mean", "against ddmin",
		"mean / mean bound", "geometric mean of tests / bound", "paper against ddmin")
	paper := map[string]string{"wddmin": "−23%"}
	var ddmin []float64
	for _, algorithm := range algorithms() {
		name := algorithm.Name
		if name == "chisel" { // the same tests as ddmin, and a third of a second per list
			continue
		}
		counts := e.eachList(lists, algorithm.With(algo.Params{P0: defaultP0, Seed: e.seed}))
		if name == "ddmin" {
			ddmin = counts
		}
		var ratios []float64
		for i, n := range counts {
			ratios = append(ratios, n/bounds[i])
		}
		t.Add(name, fmt.Sprintf("%.0f", stat.Mean(counts, nil)), change(stat.Mean(counts, nil), stat.Mean(ddmin, nil)),
			fmt.Sprintf("%.0f", stats.Geometric(counts)), change(stats.Geometric(counts), stats.Geometric(ddmin)),
			fmt.Sprintf("%.2f", stat.Mean(counts, nil)/stat.Mean(bounds, nil)), fmt.Sprintf("%.2f", stats.Geometric(ratios)),
			paper[name])
	}
	t.Add("bound", fmt.Sprintf("%.0f", stat.Mean(bounds, nil)), "", fmt.Sprintf("%.0f", stats.Geometric(bounds)), "",
		"1", "1", "")
	return t.String()
}

func change(a, b float64) string { return fmt.Sprintf("%+.1f%%", 100*(a/b-1)) }

// eachList returns the number of tests on each list, at least one.
func (e *evaluation) eachList(lists []synthetic.List, search algo.Algorithm) []float64 {
	counts := make([]float64, len(lists))
	var workers sync.WaitGroup
	for part := range slices.Chunk(algo.All(len(lists)), (len(lists)+e.jobs-1)/e.jobs) {
		workers.Go(func() {
			for _, i := range part {
				tests, _ := lists[i].Run(search(lists[i].Weights))
				counts[i] = float64(max(1, tests))
			}
		})
	}
	workers.Wait()
	return counts
}
