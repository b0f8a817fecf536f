package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"whittle/algo/grain"
	"whittle/cmd/ddbench/internal/page"
	"whittle/cmd/ddbench/internal/stats"
)

// factors are what each constant of grain is multiplied by.
var factors = []string{"0.5", "2"}

// constantsOfGrain are their names.
func constantsOfGrain() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[grain.Params]()) {
		names = append(names, field.Name)
	}
	return names
}

// scaled returns the constants of grain, one of them, or all that it lists,
// multiplied: "Even*0.5".
func scaled(constant string) (grain.Params, error) {
	params := grain.Defaults()
	name, by, _ := strings.Cut(constant, "*")
	factor, err := strconv.ParseFloat(by, 64)
	field := reflect.ValueOf(&params).Elem().FieldByName(name)
	switch {
	case err != nil || !field.IsValid():
		return params, fmt.Errorf("grain:%s: what is needed is the name of a constant, * and a factor", constant)
	case field.Kind() == reflect.Array:
		for i := range field.Len() {
			field.Index(i).SetFloat(field.Index(i).Float() * factor)
		}
	default:
		field.SetFloat(field.Float() * factor)
	}
	return params, nil
}

// constantRuns are grain with each of its constants halved, and doubled.
func constantRuns(e *evaluation) []work {
	names := []string{grain.Name}
	for _, constant := range constantsOfGrain() {
		for _, factor := range factors {
			names = append(names, grain.Name+":"+constant+"*"+factor)
		}
	}
	return []work{e.all(names, 0)}
}

// constantTable shows tests and sizes over those with the constants as they are.
func constantTable(_ *evaluation, grids []*grid) string {
	t := page.NewTable("driver, constant")
	for _, factor := range factors {
		t.Head = append(t.Head, "× "+factor+": tests", "least", "most", "tokens left")
	}
	ratio := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	for _, g := range grids {
		base, ok := g.one(grain.Name)
		if !ok {
			continue
		}
		for _, constant := range constantsOfGrain() {
			row := []string{g.driver + ", " + constant}
			for _, factor := range factors {
				v, ok := g.one(grain.Name + ":" + constant + "*" + factor)
				cases := tests.comparable(g, base, v)
				if !ok || len(cases) == 0 {
					row = append(row, "—", "—", "—", "—")
					continue
				}
				asked, least, most := tests.over(g, v, base, cases)
				left, _, _ := size.over(g, v, base, cases)
				row = append(row, ratio(asked), ratio(least), ratio(most), fmt.Sprintf("%.3f", left))
			}
			t.Add(row...)
		}
	}
	return t.String()
}

// over returns the geometric mean of the metric of a variant over that of another,
// and the least and the most of any case.
func (m metric) over(g *grid, v, base variant, cases []string) (mean, least, most float64) {
	ratios, below := m.values(g, v, cases), m.values(g, base, cases)
	for i := range ratios {
		ratios[i] /= below[i]
	}
	return stats.Geometric(ratios), slices.Min(ratios), slices.Max(ratios)
}
