package main

import (
	"fmt"
	"slices"

	"whittle/bench/internal/stats"
)

// A variant is a driver with a list algorithm and its settings.
type variant struct {
	Driver    string
	Algorithm string
	P0        float64
	Width     int
}

func (s spec) variant() variant { return variant{s.Driver, s.Algorithm, s.P0, s.Width} }

// String identifies a variant of one driver.
func (v variant) String() string {
	name := v.Algorithm
	if v.P0 != 0 {
		name += fmt.Sprintf(" p0 %g", v.P0)
	}
	if v.Width != 1 {
		name += fmt.Sprintf(" width %d", v.Width)
	}
	return name
}

// A cell is the result of a variant on a case: geometric means over its repetitions.
type cell struct {
	runs     []record
	size     float64 // remaining tokens, at least 1
	tests    float64
	seconds  float64
	speed    float64 // tokens deleted per second
	timedOut bool    // any run
}

func newCell(runs []record) cell {
	speed := func(r record) float64 {
		return max(1e-3, float64(r.TokensBefore-r.TokensAfter)) / max(1e-3, r.Seconds)
	}
	mean := func(value func(record) float64) float64 {
		var values []float64
		for _, r := range runs {
			values = append(values, value(r))
		}
		return stats.Geometric(values)
	}
	return cell{
		runs:     runs,
		size:     mean(func(r record) float64 { return max(1, float64(r.TokensAfter)) }),
		tests:    mean(func(r record) float64 { return max(1, float64(r.Tests)) }),
		seconds:  mean(func(r record) float64 { return max(1e-3, r.Seconds) }),
		speed:    mean(speed),
		timedOut: slices.ContainsFunc(runs, func(r record) bool { return r.TimedOut }),
	}
}

type grid struct {
	driver   string
	cases    []string // sorted
	variants []variant
	cells    map[variant]map[string]cell
}

// newGrids keeps the order of the drivers' first runs.
func newGrids(runs []record) []*grid {
	var grids []*grid
	together := map[variant]map[string][]record{}
	for _, r := range runs {
		i := slices.IndexFunc(grids, func(g *grid) bool { return g.driver == r.Driver })
		if i < 0 {
			i = len(grids)
			grids = append(grids, &grid{driver: r.Driver, cells: map[variant]map[string]cell{}})
		}
		g, v := grids[i], r.variant()
		if together[v] == nil {
			together[v] = map[string][]record{}
			g.variants = append(g.variants, v)
		}
		together[v][r.Case] = append(together[v][r.Case], r)
		if !slices.Contains(g.cases, r.Case) {
			g.cases = append(g.cases, r.Case)
		}
	}
	for _, g := range grids {
		slices.Sort(g.cases)
		for _, v := range g.variants {
			g.cells[v] = map[string]cell{}
			for name, runs := range together[v] {
				g.cells[v][name] = newCell(runs)
			}
		}
	}
	return grids
}

func (g *grid) find(name string) (found []variant) {
	for _, v := range g.variants {
		if v.String() == name {
			return []variant{v}
		}
		if v.Algorithm == name {
			found = append(found, v)
		}
	}
	return found
}

func (g *grid) shared(variants ...variant) []string {
	return slices.DeleteFunc(slices.Clone(g.cases), func(name string) bool {
		return slices.ContainsFunc(variants, func(v variant) bool {
			_, ok := g.cells[v][name]
			return !ok
		})
	})
}
