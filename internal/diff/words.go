package diff

import (
	"bytes"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"whittle/internal/printable"
)

const (
	context = 2        // unchanged lines around a change
	most    = 64 << 10 // bytes of each text that are compared, from the first change on
)

// Hunks returns a unified diff without file names. The diff of a large change is cut.
func Hunks(before, after []byte) string {
	from, a, b := around(before, after)
	if bytes.Equal(a, b) {
		return ""
	}
	a, b = cut(a), cut(b)
	unified, err := udiff.ToUnifiedDiff("a", "b", string(a), Lines(string(a), string(b)), context)
	if err != nil {
		return ""
	}
	for _, h := range unified.Hunks { // line numbers of the whole file
		h.FromLine += from
		h.ToLine += from
	}
	text := unified.String()
	_, text, _ = strings.Cut(text, "\n") // the two names
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// around returns the lines that differ with their context, and the number of lines before them.
func around(before, after []byte) (from int, a, b []byte) {
	start := lineStart(before, Prefix(before, after))
	for range context {
		start = lineStart(before, max(start-1, 0))
	}
	a, b = before[start:], after[start:]
	end := Suffix(a, b)
	if i := len(a) - end; end > 0 && !(atLine(a, i) && atLine(b, len(b)-end)) {
		end -= lineEnd(a[i:]) // without the line that differs
	}
	tail := 0
	for range context {
		tail += lineEnd(a[len(a)-end+tail:])
	}
	end -= tail
	return bytes.Count(before[:start], []byte("\n")), a[:len(a)-end], b[:len(b)-end]
}

// Prefix returns the length of the common prefix of two texts, in bytes.
func Prefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// Suffix returns the length of their common suffix.
func Suffix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[len(a)-1-i] != b[len(b)-1-i] {
			return i
		}
	}
	return n
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func atLine(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// lineEnd returns the length of the first line with its line break.
func lineEnd(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// cut returns the part of a text to compare: whole lines, or a part of a long line.
func cut(text []byte) []byte {
	if len(text) <= most {
		return text
	}
	if i := bytes.LastIndexByte(text[:most], '\n'); i >= 0 {
		return text[:i+1]
	}
	return text[:most]
}

// width is the length of an excerpt, in characters.
const width = 60

// Excerpt returns short excerpts of the removed and the inserted text. Both start at the first
// difference; either may be "".
func Excerpt(before, after []byte) (went, came string) {
	start := Prefix(before, after)
	tail := Suffix(before[start:], after[start:])
	a, b := before[start:len(before)-tail], after[start:len(after)-tail]
	if len(b) == 0 {
		return short(slide(before, start, start+len(a))), ""
	}
	if lines, only := gone(before, after); only {
		return short(lines), ""
	}
	return short(a), short(b)
}

// gone returns the removed lines, and reports whether the change is only removed lines.
func gone(before, after []byte) (lines []byte, only bool) {
	for line := range strings.Lines(Hunks(before, after)) {
		switch line[0] {
		case '+':
			return nil, false
		case '-':
			lines = append(lines, line[1:]...)
		}
	}
	return lines, true
}

// slide returns text[start:end], or an equivalent part that starts at the beginning of a line:
// deleting either gives the same text. In "a;\na;\n" the deleted part is then a line.
func slide(text []byte, start, end int) []byte {
	for by := 0; by <= start; by++ {
		if atLine(text, start-by) {
			return text[start-by : end-by]
		}
		if start == by || text[start-by-1] != text[end-by-1] {
			break
		}
	}
	return text[start:end]
}

// short returns the beginning of a text in one line.
func short(text []byte) string {
	whole := len(text) <= 4*width
	if !whole {
		text = text[:4*width]
	}
	words := strings.Join(strings.Fields(printable.String(string(text))), " ")
	if runes := []rune(words); len(runes) > width || !whole {
		words = string(runes[:min(width, len(runes))]) + "…"
	}
	return words
}
