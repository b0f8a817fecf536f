package view

import (
	"bytes"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"whittle/internal/printable"
)

// A text is large, a single long line, or binary, so parts are shown.
type text []byte

func (t text) lines() int {
	n := bytes.Count(t, []byte("\n"))
	if len(t) > 0 && t[len(t)-1] != '\n' {
		n++
	}
	return n
}

// rows returns up to height lines from a line and column, cut to width.
func (t text) rows(line, column, width, height int) (rows []string) {
	for ; line > 0 && len(t) > 0; line-- {
		t = t[end(t):]
	}
	for ; len(t) > 0 && len(rows) < height; t = t[end(t):] {
		rows = append(rows, part(bytes.TrimSuffix(t[:end(t)], []byte("\n")), column, width))
	}
	return rows
}

func end(t []byte) int {
	if i := bytes.IndexByte(t, '\n'); i >= 0 {
		return i + 1
	}
	return len(t)
}

// perCell bounds the bytes that part examines per cell.
const perCell = 16

const tab = "    "

// part returns a part of a line; an ellipsis marks a cut.
func part(line []byte, column, width int) string {
	line = line[:min(len(line), perCell*(column+width)+perCell)]
	s := strings.ReplaceAll(printable.String(string(line)), "\t", tab)
	if column > 0 {
		s = ansi.TruncateLeft(s, column, "")
	}
	return fit(s, width)
}

func fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "…")
}

func pad(s string, width int) string {
	s = fit(s, width)
	return s + strings.Repeat(" ", max(width-ansi.StringWidth(s), 0))
}

// apart puts texts at both ends of a line, or without room the left one.
func apart(left, right string, width int) string {
	if gap := width - ansi.StringWidth(left) - ansi.StringWidth(right); right != "" && gap >= 2 {
		return left + strings.Repeat(" ", gap) + right
	}
	return fit(left, width)
}

// Tests formats n tests, of which the journal had some.
func Tests(n, replayed int) string {
	s := plural(n, "test")
	if replayed > 0 {
		s += " (" + count(replayed) + " from the journal)"
	}
	return s
}

// Percent returns part of whole in percent, 100 of 0.
func Percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

func count(n int) string { return humanize.Comma(int64(n)) }

// duration rounds a time to seconds or minutes.
func duration(d time.Duration) string {
	d = d.Round(time.Second)
	if d >= time.Hour {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.String()
}
