package g4

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unicodeProperty returns the characters of a category, script or binary property, or nil. Go's library lacks blocks,
// script codes (Latn) and the properties of emoji. Names are as Lu, IsLu, General_Category=Uppercase_Letter or gc=lu.
func unicodeProperty(name string) []Range {
	plain := plainName(name)
	switch kind, value, both := strings.Cut(plain, "="); {
	case !both:
		for _, name := range []string{plain, strings.TrimPrefix(plain, "is")} {
			for _, find := range []func(string) []Range{category, binary, script} {
				if set := find(name); set != nil {
					return set
				}
			}
		}
	case kind == "gc" || kind == "generalcategory":
		return category(value)
	case kind == "sc" || kind == "script":
		return script(value)
	}
	return nil
}

// plainName removes the differences between names that Unicode ignores.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func category(name string) []Range {
	for long, short := range unicode.CategoryAliases {
		if plainName(long) == name {
			name = plainName(short)
			break
		}
	}
	return byName(unicode.Categories, name)
}

func script(name string) []Range { return byName(unicode.Scripts, name) }

// binary follows Unicode's DerivedCoreProperties.
func binary(name string) []Range {
	switch name {
	case "any":
		return []Range{{0, utf8.MaxRune}}
	case "ascii":
		return []Range{{0, unicode.MaxASCII}}
	case "assigned":
		return complement(tables(unicode.Cn))
	case "alphabetic", "alpha":
		return tables(unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.Other_Lowercase, unicode.Other_Uppercase)
	case "lowercase", "lower":
		return tables(unicode.Ll, unicode.Other_Lowercase)
	case "uppercase", "upper":
		return tables(unicode.Lu, unicode.Other_Uppercase)
	case "alnum":
		return tidy(append(binary("alpha"), tables(unicode.Nd)...))
	case "cased":
		return tables(unicode.Ll, unicode.Lu, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
	case "hex":
		return tables(unicode.Hex_Digit)
	case "ahex":
		return tables(unicode.ASCII_Hex_Digit)
	case "math":
		return tables(unicode.Sm, unicode.Other_Math)
	case "space":
		return tables(unicode.White_Space)
	case "idstart", "ids":
		return idStart()
	case "idcontinue", "idc":
		return idContinue()
	case "xidstart", "xids":
		return without(idStart(), append(notXID, Range{0xe33, 0xe33}, Range{0xeb3, 0xeb3}, Range{0xff9e, 0xff9f}))
	case "xidcontinue", "xidc":
		return without(idContinue(), notXID)
	}
	return byName(unicode.Properties, name)
}

func idStart() []Range {
	return without(tables(unicode.L, unicode.Nl, unicode.Other_ID_Start), pattern())
}

func idContinue() []Range {
	return without(tables(unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
		unicode.Other_ID_Continue), pattern())
}

func pattern() []Range { return tables(unicode.Pattern_Syntax, unicode.Pattern_White_Space) }

// notXID are the characters whose compatibility forms are not identifiers.
var notXID = []Range{
	{0x37a, 0x37a}, {0x309b, 0x309c}, {0xfc5e, 0xfc63}, {0xfdfa, 0xfdfb}, {0xfe70, 0xfe70}, {0xfe72, 0xfe72},
	{0xfe74, 0xfe74}, {0xfe76, 0xfe76}, {0xfe78, 0xfe78}, {0xfe7a, 0xfe7a}, {0xfe7c, 0xfe7c}, {0xfe7e, 0xfe7e},
}

func byName(all map[string]*unicode.RangeTable, name string) []Range {
	for n, table := range all {
		if plainName(n) == name {
			return tables(table)
		}
	}
	return nil
}

func tables(all ...*unicode.RangeTable) (set []Range) {
	add := func(from, to, stride int) {
		if stride == 1 {
			set = append(set, Range{from, to})
			return
		}
		for c := from; c <= to; c += stride {
			set = append(set, Range{c, c})
		}
	}
	for _, t := range all {
		for _, r := range t.R16 {
			add(int(r.Lo), int(r.Hi), int(r.Stride))
		}
		for _, r := range t.R32 {
			add(int(r.Lo), int(r.Hi), int(r.Stride))
		}
	}
	return tidy(set)
}

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
