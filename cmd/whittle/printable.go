package main

import (
	"io"
	"strings"
	"unicode"
)

// printable takes out what would confuse a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case r != '\n' && r != '\t' && unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// A printer prints what may have names or outputs of others in it, as a whole each
// time, so that it does not confuse a terminal.
type printer struct{ to io.Writer }

func (p printer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.to, printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
