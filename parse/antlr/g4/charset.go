package g4

import (
	"fmt"
	"strings"
)

// ranges returns nil for a malformed set. fold does not apply to properties.
func (s charSet) ranges(fold bool, problems *Problems) []Range {
	if s.text == "" {
		problems.add(s.Pos, "character set is empty")
		return nil
	}
	d := decoder{Pos: s.Pos, text: s.text, problems: problems, escapable: "-]", passedRunes: 1}
	var set []Range
	const unset = -1
	last := rune(unset)
	start := d
	for d.text != "" {
		if isProperty(d.text) {
			set = append(set, d.property()...)
			last = unset
			if len(d.text) > 1 && d.text[0] == '-' {
				d.fail(1, "a property cannot begin a range")
			}
			continue
		}
		if d.text[0] != '-' || last == unset || len(d.text) == 1 {
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
		last = unset
	}
	if d.failed {
		return nil
	}
	return tidy(set)
}

func isProperty(text string) bool {
	return strings.HasPrefix(text, `\p`) || strings.HasPrefix(text, `\P`)
}

func (d *decoder) property() []Range {
	end := strings.IndexByte(d.text, '}')
	if !strings.HasPrefix(d.text[2:], "{") || end < 0 {
		d.fail(2, "invalid escape sequence "+d.text[:2]+", expected a property name in braces after it")
		return nil
	}
	set := unicodeProperty(d.text[3:end])
	if set == nil {
		d.fail(end+1, "unsupported Unicode property: "+d.text[3:end]+
			" (only categories, scripts and binary properties are supported)")
		return nil
	}
	if d.text[1] == 'P' {
		set = complement(set)
	}
	d.pass(end + 1)
	return set
}
