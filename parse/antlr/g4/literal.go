package g4

import (
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
