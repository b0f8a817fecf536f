package g4

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Range is a closed interval of characters or token types.
type Range struct{ From, To int }

// appendFolded appends from..to, and with fold also in the other case. As in ANTLR, the ends must not differ in case.
func appendFolded(set []Range, from, to int, fold bool) []Range {
	if fold {
		lower := Range{int(unicode.ToLower(rune(from))), int(unicode.ToLower(rune(to)))}
		upper := Range{int(unicode.ToUpper(rune(from))), int(unicode.ToUpper(rune(to)))}
		mixed := (lower.From == from) != (lower.To == to)
		if !mixed && lower.To-lower.From == upper.To-upper.From {
			return append(set, lower, upper)
		}
	}
	return append(set, Range{from, to})
}

func tidy(set []Range) []Range {
	slices.SortFunc(set, func(a, b Range) int { return cmp.Compare(a.From, b.From) })
	n := 0
	for _, r := range set {
		if n > 0 && r.From <= set[n-1].To+1 {
			set[n-1].To = max(set[n-1].To, r.To)
		} else if r.From <= r.To {
			set[n] = r
			n++
		}
	}
	return set[:n:n]
}

// complement needs a tidy set.
func complement(set []Range) (others []Range) {
	from := 0
	for _, r := range set {
		if from < r.From {
			others = append(others, Range{from, r.From - 1})
		}
		from = r.To + 1
	}
	if from <= utf8.MaxRune {
		others = append(others, Range{from, utf8.MaxRune})
	}
	return others
}

func without(set, other []Range) []Range {
	return complement(tidy(append(complement(set), other...)))
}
