package report

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"whittle/internal/printable"
)

// escapes are what programs print to colour a terminal.
var escapes = regexp.MustCompile("\x1b(?:\\[[0-9;:?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")

// clean returns a text of others without what is no text.
func clean(s string) string { return printable.String(escapes.ReplaceAllString(s, "")) }

// line returns a text of others as one line of at most most bytes.
func line(s string, most int) string {
	return shorten(strings.Join(strings.Fields(clean(head(s, 4*most))), " "), most)
}

// head returns the first n bytes of s, no part of a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// shorten is head with a sign that something is left out.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return head(s, most-len("…")) + "…"
}

// A cost is what a line takes in an output.
type cost func(line string) int

func plainCost(line string) int { return len(line) + len("\n") }

// pageCost is an upper bound of what a line takes in a page, with its tags.
func pageCost(line string) int {
	n := len(line) + len(`<span class=""></span>`) + 10
	for i := range len(line) {
		if strings.IndexByte(`"'&<>+`, line[i]) >= 0 {
			n += len("&#34;") - 1
		}
	}
	return n
}

// first returns as many items as are shown, whose lines have at most so many bytes
// together, and how many more there are.
func first[T any](items []T, most int, line func(T) string) (shown []T, more int) {
	for i, item := range items {
		if most -= min(pageCost(line(item)), mostLine*3); most < 0 || i == mostRows {
			return items[:i:i], len(items) - i
		}
	}
	return items, 0
}

// longLine is how many bytes of a line are shown.
const longLine = 2000

// cut returns the lines of a text that cost at most most together, and what to say of
// those that are left out and of what cannot be shown; "" is nothing.
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
