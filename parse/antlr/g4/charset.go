package g4

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxChar is the last code point.
const maxChar = utf8.MaxRune

// ranges gives the characters of a set; nil if something is wrong in it. Of
// what stands for itself both cases are in it if fold is true.
func (s charSet) ranges(fold bool, problems *Problems) []Range {
	if s.text == "" {
		problems.add(s.Pos, "character set is empty")
		return nil
	}
	d := decoder{Pos: s.Pos, text: s.text, problems: problems, escapable: "-]", passedRunes: 1}
	var set []Range
	const nothing = -1
	last := rune(nothing) // a character that may begin a range
	start := d            // where that is
	for d.text != "" {
		if isProperty(d.text) {
			set = append(set, d.property()...)
			last = nothing
			if len(d.text) > 1 && d.text[0] == '-' {
				d.fail(1, "a property cannot begin a range")
			}
			continue
		}
		if d.text[0] != '-' || last == nothing || len(d.text) == 1 {
			start = d
			last = d.next()
			set = appendFolded(set, int(last), int(last), fold)
			continue
		}
		d.pass(1)
		if isProperty(d.text) {
			d.fail(2, "a property cannot end a range")
			continue
		}
		end := d.next()
		if end < last {
			start.fail(0, fmt.Sprintf("range %c-%c is reversed", last, end))
			d.failed = true
		}
		set = appendFolded(set, int(last), int(end), fold)
		last = nothing
	}
	if d.failed {
		return nil
	}
	return tidy(set)
}

func isProperty(text string) bool {
	return strings.HasPrefix(text, `\p`) || strings.HasPrefix(text, `\P`)
}

// property reads \p{name} or \P{name}.
func (d *decoder) property() []Range {
	end := strings.IndexByte(d.text, '}')
	if !strings.HasPrefix(d.text[2:], "{") || end < 0 {
		d.fail(2, "invalid escape sequence "+d.text[:2]+", it is followed by a name in braces")
		return nil
	}
	set, err := property(d.text[3:end])
	if err != "" {
		d.fail(end+1, err)
		return nil
	}
	if d.text[1] == 'P' {
		set = complement(set)
	}
	d.pass(end + 1)
	return set
}

// appendFolded appends from..to, and if fold is true what these are in the
// other case. Ranges whose ends do not have cases alike are taken as they are,
// as ANTLR does.
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

// tidy sorts ranges and joins those that touch.
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

// complement gives all other characters. set must be tidy.
func complement(set []Range) (others []Range) {
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
