package c2d2

import "slices"

// A matrix has the probability m[i][j] that item i of a list does not work without item j. The diagonal is unused. It
// is immutable. Equal rows share a slice, so a step changes as many rows as there are kinds of items.
type matrix [][]float64

// newMatrix returns the matrix of a list before any test (§3.2.1, Equation 2).
func newMatrix(list []int, needs [][]int, reported, unreported float64) matrix {
	m := make(matrix, len(list))
	unknown := slices.Repeat([]float64{unreported}, len(list))
	for i, item := range list {
		m[i] = unknown
		if item >= len(needs) || len(needs[item]) == 0 {
			continue
		}
		m[i] = slices.Clone(unknown)
		for _, needed := range needs[item] {
			if j, in := slices.BinarySearch(list, needed); in {
				m[i][j] = reported
			}
		}
	}
	return m
}

// unresolved is the matrix after the kept items did not work without the removed ones (§3.2.2, Equation 4): each entry
// of these becomes M/(1-Π(1-M)). If all are 0, there is another kind of dependency, and the matrix does not change.
func (m matrix) unresolved(kept, removed []int) matrix {
	none := 1.0 // the probability that the kept items do not need the removed ones
	for _, i := range kept {
		for _, j := range removed {
			none *= 1 - m[i][j]
		}
		if none < 1e-17 {
			return m // almost certain: no information
		}
	}
	if none == 1 {
		return m
	}
	return m.with(kept, func(row []float64) []float64 {
		row = slices.Clone(row)
		for _, j := range removed {
			row[j] = min(row[j]/(1-none), 1)
		}
		return row
	})
}

// resolved is the matrix after the kept items worked without the removed ones (§3.2.2, Equation 5): all needs of these
// become 0, even reported ones.
func (m matrix) resolved(kept, removed []int) matrix {
	return m.with(kept, func(row []float64) []float64 {
		if !slices.ContainsFunc(removed, func(j int) bool { return row[j] != 0 }) {
			return row
		}
		row = slices.Clone(row)
		for _, j := range removed {
			row[j] = 0
		}
		return row
	})
}

// reduced is the matrix of the kept items (§3.2.3, Equation 6).
func (m matrix) reduced(kept []int) matrix {
	return pick(m.with(kept, func(row []float64) []float64 { return pick(row, kept) }), kept)
}

// with changes rows, shared ones once.
func (m matrix) with(rows []int, change func(row []float64) []float64) matrix {
	is := slices.Clone(m)
	changed := make(map[*float64][]float64)
	for _, i := range rows {
		row, known := changed[&m[i][0]]
		if !known {
			row = change(m[i])
			changed[&m[i][0]] = row
		}
		is[i] = row
	}
	return is
}

// needs returns the probability that an item needs one of the others.
func (m matrix) needs(item int, others []int) float64 {
	most := 0.0
	for _, j := range others {
		if j != item {
			most = max(most, m[item][j])
		}
	}
	return most
}

func (m matrix) needed(item int, others []int) float64 {
	most := 0.0
	for _, i := range others {
		if i != item {
			most = max(most, m[i][item])
		}
	}
	return most
}

func pick[T any](list []T, places []int) []T {
	some := make([]T, len(places))
	for i, place := range places {
		some[i] = list[place]
	}
	return some
}
