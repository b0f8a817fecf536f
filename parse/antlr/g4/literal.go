package g4

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type decoder struct {
	Pos
	text        string
	problems    *Problems
	failed      bool
	escapable   string // further characters that may follow a backslash
	passedRunes int
}

// chars returns nil for a malformed literal, and an empty, non-nil slice for an empty one.
func (l literal) chars(problems *Problems) []rune {
	d := decoder{Pos: l.Pos, text: l.text, problems: problems, escapable: "'", passedRunes: 1}
	chars := []rune{}
	for d.text != "" {
		c := d.next()
		if n := len(chars); n > 0 && utf16.DecodeRune(chars[n-1], c) != utf8.RuneError {
			chars[n-1] = utf16.DecodeRune(chars[n-1], c)
		} else {
			chars = append(chars, c)
		}
	}
	if d.failed {
		return nil
	}
	return chars
}

func (d *decoder) next() rune {
	c, n := utf8.DecodeRuneInString(d.text)
	if c == utf8.RuneError && n == 1 {
		d.fail(n, "invalid UTF-8")
		return c
	}
	if c != '\\' {
		d.pass(n)
		return c
	}
	c, n = utf8.DecodeRuneInString(d.text[1:])
	if i := strings.IndexByte("nrtbf\\", byte(c)); i >= 0 && c < utf8.RuneSelf {
		d.pass(2)
		return rune("\n\r\t\b\f\\"[i])
	}
	if n > 0 && strings.ContainsRune(d.escapable, c) {
		d.pass(2)
		return c
	}
	digits, size := "", 1+n
	if c == 'u' {
		if rest, ok := strings.CutPrefix(d.text, `\u{`); ok {
			if end := strings.IndexByte(rest, '}'); end >= 0 {
				digits, size = rest[:end], end+4
			}
		} else if size = min(6, len(d.text)); size == 6 {
			digits = d.text[2:6]
		}
	}
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || code > utf8.MaxRune {
		d.fail(size, "invalid escape sequence "+d.text[:size])
		return utf8.RuneError
	}
	d.pass(size)
	return rune(code)
}

func (d *decoder) pass(n int) {
	d.passedRunes += utf8.RuneCountInString(d.text[:n])
	d.text = d.text[n:]
}

// fail skips the next n bytes, too.
func (d *decoder) fail(n int, text string) {
	at := d.Pos
	at.Column += d.passedRunes
	d.problems.add(at, "%s", text)
	d.failed = true
	d.pass(n)
}

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
