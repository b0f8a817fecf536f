// Package changes shows people what became of a text: as a unified diff of what is about
// the change, or in a few words.
package changes

import (
	"bytes"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"whittle/internal/diff"
	"whittle/internal/printable"
)

const (
	// context is how many lines a diff has around what has changed.
	context = 2
	// most is how many bytes of a text are compared, from where it changes on. More is
	// cut off.
	most = 64 << 10
)

// Unified returns a unified diff without a head of file names, of lines that have
// changed and some around them. Of a large change it has the beginning.
func Unified(before, after []byte) string {
	from, a, b := around(before, after)
	if bytes.Equal(a, b) {
		return ""
	}
	a, b = cut(a), cut(b)
	unified, err := udiff.ToUnifiedDiff("a", "b", string(a), diff.Lines(string(a), string(b)), context)
	if err != nil {
		return ""
	}
	for _, h := range unified.Hunks { // where they are in the whole
		h.FromLine += from
		h.ToLine += from
	}
	text := unified.String()
	_, text, _ = strings.Cut(text, "\n") // the two names
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// around returns the lines that differ, with some around them, and how many are before.
func around(before, after []byte) (from int, a, b []byte) {
	start := lineStart(before, common(before, after))
	for range context {
		start = lineStart(before, max(start-1, 0))
	}
	a, b = before[start:], after[start:]
	end := commonEnd(a, b)
	if i := len(a) - end; end > 0 && !(atLine(a, i) && atLine(b, len(b)-end)) {
		end -= lineEnd(a[i:]) // of the line that differs
	}
	tail := 0
	for range context {
		tail += lineEnd(a[len(a)-end+tail:])
	}
	end -= tail
	return bytes.Count(before[:start], []byte("\n")), a[:len(a)-end], b[:len(b)-end]
}

// common returns how many bytes two texts begin with alike.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// commonEnd returns how many bytes two texts end with alike.
func commonEnd(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[len(a)-1-i] != b[len(b)-1-i] {
			return i
		}
	}
	return n
}

// lineStart returns where the line begins that has a position.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// atLine reports whether a line begins at a position.
func atLine(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// lineEnd returns the length of the first line, with its end.
func lineEnd(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// cut returns as many whole lines as are compared, at least a part of one.
func cut(text []byte) []byte {
	if len(text) <= most {
		return text
	}
	if i := bytes.LastIndexByte(text[:most], '\n'); i >= 0 {
		return text[:i+1]
	}
	return text[:most]
}

// width is how many characters an excerpt has, at most.
const width = 60

// Excerpt says in a line what went and what came in its place, "" if nothing did: the
// texts are short, and begin where the two files differ.
func Excerpt(before, after []byte) (went, came string) {
	start := common(before, after)
	tail := commonEnd(before[start:], after[start:])
	a, b := before[start:len(before)-tail], after[start:len(after)-tail]
	if len(b) == 0 {
		return short(slide(before, start, start+len(a))), ""
	}
	if lines, only := gone(before, after); only {
		return short(lines), ""
	}
	return short(a), short(b)
}

// gone returns the lines that have gone, from several places, and reports whether nothing
// else has changed.
func gone(before, after []byte) (lines []byte, only bool) {
	for line := range strings.Lines(Unified(before, after)) {
		switch line[0] {
		case '+':
			return nil, false
		case '-':
			lines = append(lines, line[1:]...)
		}
	}
	return lines, true
}

// slide returns a part of a text, without which the text is the same as without that from
// start to end: one that begins with a line if there is one. Of "a;\na;\n" a line has gone,
// not the end of one and the beginning of the next.
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

// short returns the beginning of a text, in one line.
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
