package chars

import (
	"strings"
	"unicode"
)

// Property returns the characters of a Unicode property, in the ways in which
// ANTLR lets it be written, or what is wrong with its name.
func Property(name string) (set []Range, problem string) {
	plain := plainName(name)
	kind, value, both := strings.Cut(plain, "=")
	switch {
	case !both || kind == "emojipresentation":
		value = plain
		for _, find := range []func(string) []Range{category, binary, script, emojiProperty} {
			if set := find(value); set != nil {
				return set, ""
			}
			if bare, ok := strings.CutPrefix(value, "is"); ok {
				if set := find(bare); set != nil {
					return set, ""
				}
			}
		}
		if bare, ok := strings.CutPrefix(value, "in"); ok {
			set = unicodeBlock(bare)
		}
	case kind == "gc" || kind == "generalcategory":
		set = category(value)
	case kind == "sc" || kind == "script":
		set = script(value)
	case kind == "blk" || kind == "block":
		set = unicodeBlock(value)
	default:
		return nil, "Unicode property is not supported: " + name
	}
	if set == nil {
		return nil, "unknown Unicode property: " + name
	}
	return set, ""
}

// plainName strips a name of what does not matter in it.
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

func script(name string) []Range {
	if long := scriptOf(name); long != "" {
		name = long
	}
	return byName(unicode.Scripts, name)
}

// binary returns the characters that have a property which one has or has not. Those that are
// derived from others are made up as in Unicode's DerivedCoreProperties.
func binary(name string) []Range {
	switch name {
	case "any":
		return []Range{{0, maxChar}}
	case "ascii":
		return []Range{{0, unicode.MaxASCII}}
	case "assigned":
		return Complement(tables(unicode.Cn))
	case "alphabetic", "alpha":
		return tables(unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.Other_Lowercase, unicode.Other_Uppercase)
	case "lowercase", "lower":
		return tables(unicode.Ll, unicode.Other_Lowercase)
	case "uppercase", "upper":
		return tables(unicode.Lu, unicode.Other_Uppercase)
	case "alnum":
		return Tidy(append(binary("alpha"), tables(unicode.Nd)...))
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

// notXID are the characters whose compatibility forms are no identifiers.
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

// tables returns the characters of any of the tables.
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
	return Tidy(set)
}
