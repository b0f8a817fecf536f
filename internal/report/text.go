package report

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"whittle/internal/printable"
)

var escapes = regexp.MustCompile("\x1b(?:\\[[0-9;:?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")

// clean removes escape sequences and characters that cannot be printed.
func clean(s string) string { return printable.String(escapes.ReplaceAllString(s, "")) }

// line returns a clean text as one line of at most most bytes.
func line(s string, most int) string {
	return shorten(strings.Join(strings.Fields(clean(head(s, 4*most))), " "), most)
}

// head returns the first n bytes of s, without a partial character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// shorten is head with an ellipsis.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return head(s, most-len("…")) + "…"
}

type cost func(line string) int

func plainCost(line string) int { return len(line) + len("\n") }

// pageCost is an upper bound of the size of a line in a page, with its tags.
func pageCost(line string) int {
	n := len(line) + len(`<span class=""></span>`) + 10
	for i := range len(line) {
		if strings.IndexByte(`"'&<>+`, line[i]) >= 0 {
			n += len("&#34;") - 1
		}
	}
	return n
}

// first returns the items that fit into most bytes, and the number of the others.
func first[T any](items []T, most int, line func(T) string) (shown []T, more int) {
	for i, item := range items {
		if most -= min(pageCost(line(item)), mostLine*3); most < 0 || i == mostRows {
			return items[:i:i], len(items) - i
		}
	}
	return items, 0
}

const longLine = 2000

// cut returns the lines that cost at most most together, and a note about omissions and replaced
// characters.
func cut(text string, most int, by cost) (lines []string, note string) {
	size := len(text)
	start := head(text, most) // a line costs at least its bytes
	shown := clean(start)
	replaced := strings.Count(shown, "\uFFFD") > strings.Count(start, "\uFFFD")
	whole, long := len(start) == size, false
	for l := range strings.SplitSeq(strings.TrimSuffix(shown, "\n"), "\n") {
		if len(l) > longLine {
			l, long = shorten(l, longLine), true
		}
		if most -= by(l); most < 0 {
			whole = false
			break
		}
		lines = append(lines, l)
	}
	var notes []string
	if !whole {
		notes = append(notes, "cut: the beginning of "+humanize.Comma(int64(size))+" bytes")
	}
	if long {
		notes = append(notes, "lines of more than "+humanize.Comma(longLine)+" bytes are cut")
	}
	if replaced {
		notes = append(notes, "what is no text is shown as \uFFFD")
	}
	return lines, strings.Join(notes, "; ")
}
