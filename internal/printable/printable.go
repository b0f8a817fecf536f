// Package printable makes untrusted names and outputs safe to print on a terminal.
package printable

import (
	"io"
	"strings"
	"unicode"
)

// String replaces control characters and invalid UTF-8, and removes carriage returns.
func String(s string) string {
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

// Line is like String, and also replaces line breaks and tabs.
func Line(s string) string {
	const mark = string(unicode.ReplacementChar)
	return strings.NewReplacer("\n", mark, "\t", mark).Replace(String(s))
}

// NewWriter returns a writer that applies String. Each Write must contain whole characters.
func NewWriter(to io.Writer) io.Writer { return writer{to} }

type writer struct{ to io.Writer }

func (w writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.to, String(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
