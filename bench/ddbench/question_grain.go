package main

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"whittle/algo/grain"
	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

var factors = []string{"0.5", "2"}

func constantsOfGrain() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[grain.Params]()) {
		if field.Type.Kind() != reflect.Bool {
			names = append(names, field.Name)
		}
	}
	return names
}

// scaled returns the constants of grain with one of them, or a list of them, multiplied:
// "Even*0.5".
func scaled(constant string) (grain.Params, error) {
	params := grain.Defaults()
	name, by, _ := strings.Cut(constant, "*")
	factor, err := strconv.ParseFloat(by, 64)
	field := reflect.ValueOf(&params).Elem().FieldByName(name)
	switch {
	case err != nil || !field.IsValid() || field.Kind() == reflect.Bool:
		return params, fmt.Errorf("grain:%s: expected the name of a constant, * and a factor", constant)
	case field.Kind() == reflect.Array:
		for i := range field.Len() {
			field.Index(i).SetFloat(field.Index(i).Float() * factor)
		}
	default:
		field.SetFloat(field.Float() * factor)
	}
	return params, nil
}

func constantRuns(e *evaluation) []work {
	names := []string{grain.Name}
	for _, constant := range constantsOfGrain() {
		for _, factor := range factors {
			names = append(names, grain.Name+":"+constant+"*"+factor)
		}
	}
	return []work{e.all(names, 0)}
}

// constantTable compares tests with the default constants, and sizes where they differ.
func constantTable(_ *evaluation, grids []*grid) string {
	t := page.NewTable("constant")
	for _, g := range grids {
		for _, factor := range factors {
			t.Head = append(t.Head, g.driver+", × "+factor)
		}
	}
	for _, constant := range constantsOfGrain() {
		row := []string{constant}
		for _, g := range grids {
			for _, factor := range factors {
				row = append(row, g.constant(constant+"*"+factor))
			}
		}
		t.Add(row...)
	}
	return t.String()
}

func (g *grid) constant(scaled string) string {
	base, ok := g.one(grain.Name)
	v, okV := g.one(grain.Name + ":" + scaled)
	if !ok || !okV {
		return "—"
	}
	cases := tests.comparable(g, base, v)
	if len(cases) == 0 {
		return "—"
	}
	mean, least, most := tests.over(g, v, base, cases)
	cell := fmt.Sprintf("%.2f", mean)
	if most-least >= 0.01 {
		cell += fmt.Sprintf(" (%.2f to %.2f)", least, most)
	}
	if left, _, _ := size.over(g, v, base, cases); math.Abs(left-1) >= 0.001 {
		cell += fmt.Sprintf(", size %.3f", left)
	}
	return cell
}

func (m metric) over(g *grid, v, base variant, cases []string) (mean, least, most float64) {
	ratios, below := m.values(g, v, cases), m.values(g, base, cases)
	for i := range ratios {
		ratios[i] /= below[i]
	}
	return stats.Geometric(ratios), slices.Min(ratios), slices.Max(ratios)
}
