// Package chars has sets of characters: as ranges, and by Unicode's properties.
package chars

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxChar is the last code point.
const maxChar = utf8.MaxRune

// Range is an interval of characters or token types, both ends in it.
type Range struct{ From, To int }

// AppendFolded appends from..to, and if fold is true what these are in the
// other case. Ranges whose ends do not have cases alike are taken as they are,
// as ANTLR does.
func AppendFolded(set []Range, from, to int, fold bool) []Range {
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

// Tidy sorts ranges and joins those that touch.
func Tidy(set []Range) []Range {
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

// Complement returns all other characters. set must be tidy.
func Complement(set []Range) (others []Range) {
	from := 0
	for _, r := range set {
		if from < r.From {
			others = append(others, Range{from, r.From - 1})
		}
		from = r.To + 1
	}
	if from <= maxChar {
		others = append(others, Range{from, maxChar})
	}
	return others
}

// without returns what is in set, and not in other.
func without(set, other []Range) []Range {
	return Complement(Tidy(append(Complement(set), other...)))
}
