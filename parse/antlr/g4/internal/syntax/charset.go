package syntax

import (
	"fmt"
	"strings"

	"whittle/parse/antlr/g4/internal/chars"
)

// Ranges returns the characters of a set; nil if something is wrong in it. Of
// what stands for itself both cases are in it if fold is true.
func (s CharSet) Ranges(fold bool, problems *Problems) []chars.Range {
	if s.Text == "" {
		problems.Add(s.Pos, "character set is empty")
		return nil
	}
	d := decoder{Pos: s.Pos, text: s.Text, problems: problems, escapable: "-]", passedRunes: 1}
	var set []chars.Range
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
			set = chars.AppendFolded(set, int(last), int(last), fold)
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
		set = chars.AppendFolded(set, int(last), int(end), fold)
		last = nothing
	}
	if d.failed {
		return nil
	}
	return chars.Tidy(set)
}

func isProperty(text string) bool {
	return strings.HasPrefix(text, `\p`) || strings.HasPrefix(text, `\P`)
}

// property reads \p{name} or \P{name}.
func (d *decoder) property() []chars.Range {
	end := strings.IndexByte(d.text, '}')
	if !strings.HasPrefix(d.text[2:], "{") || end < 0 {
		d.fail(2, "invalid escape sequence "+d.text[:2]+", it is followed by a name in braces")
		return nil
	}
	set, err := chars.Property(d.text[3:end])
	if err != "" {
		d.fail(end+1, err)
		return nil
	}
	if d.text[1] == 'P' {
		set = chars.Complement(set)
	}
	d.pass(end + 1)
	return set
}
