// Package printable makes names and outputs of others fit for a terminal.
package printable

import (
	"io"
	"strings"
	"unicode"
)

// String takes out what would confuse a terminal.
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

// Line returns a name without what would confuse a terminal or begin another line.
func Line(s string) string {
	const mark = string(unicode.ReplacementChar)
	return strings.NewReplacer("\n", mark, "\t", mark).Replace(String(s))
}

// NewWriter returns a writer of what may have names or outputs of others in it. What
// is written at once must be whole.
func NewWriter(to io.Writer) io.Writer { return writer{to} }

type writer struct{ to io.Writer }

func (w writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.to, String(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
