package view

import (
	"bytes"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"whittle/internal/printable"
)

// A text is shown in parts: it may be large, or one line, or no text at all.
type text []byte

// lines returns the number of its lines.
func (t text) lines() int {
	n := bytes.Count(t, []byte("\n"))
	if len(t) > 0 && t[len(t)-1] != '\n' {
		n++
	}
	return n
}

// rows returns height lines from a line on, each from a column on and no wider than width.
func (t text) rows(line, column, width, height int) (rows []string) {
	for ; line > 0 && len(t) > 0; line-- {
		t = t[end(t):]
	}
	for ; len(t) > 0 && len(rows) < height; t = t[end(t):] {
		rows = append(rows, part(bytes.TrimSuffix(t[:end(t)], []byte("\n")), column, width))
	}
	return rows
}

// end returns the length of the first line, with its end.
func end(t []byte) int {
	if i := bytes.IndexByte(t, '\n'); i >= 0 {
		return i + 1
	}
	return len(t)
}

// perCell bounds the bytes of what takes one cell of a terminal: more are not looked at.
const perCell = 16

const tab = "    "

// part returns a part of a line, with what is cut off shown as such.
func part(line []byte, column, width int) string {
	line = line[:min(len(line), perCell*(column+width)+perCell)]
	s := strings.ReplaceAll(printable.String(string(line)), "\t", tab)
	if column > 0 {
		s = ansi.TruncateLeft(s, column, "")
	}
	return fit(s, width)
}

// fit returns a text of one line that is cut to a width.
func fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "…")
}

// pad returns a text of exactly this width.
func pad(s string, width int) string {
	s = fit(s, width)
	return s + strings.Repeat(" ", max(width-ansi.StringWidth(s), 0))
}

// apart returns two texts at the two ends of a line: the first alone where there is no
// room for both.
func apart(left, right string, width int) string {
	if gap := width - ansi.StringWidth(left) - ansi.StringWidth(right); right != "" && gap >= 2 {
		return left + strings.Repeat(" ", gap) + right
	}
	return fit(left, width)
}

func count(n int) string { return humanize.Comma(int64(n)) }

// duration returns a time as people say it, to the second.
func duration(d time.Duration) string {
	d = d.Round(time.Second)
	if d >= time.Hour {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.String()
}
