package view

import (
	"bytes"
	_ "embed"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/internal/diff"
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
	for row := range bytes.Lines(t) {
		if len(rows) == height {
			break
		}
		if line--; line < 0 {
			rows = append(rows, part(bytes.TrimSuffix(row, []byte("\n")), column, width))
		}
	}
	return rows
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

// graph draws sizes over time in width by height characters of two by four dots. The scale is
// logarithmic, so that late progress is visible.
func graph(sizes []size, now time.Duration, width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	heights := make([]int, 2*width) // in dots, at least one
	if len(sizes) > 0 {
		most, least := sizes[0].tokens, sizes[0].tokens
		for _, s := range sizes {
			most, least = max(most, s.tokens), min(least, s.tokens)
		}
		next := 0
		for x := range heights {
			at := time.Duration(float64(now) * float64(x+1) / float64(len(heights)))
			for next < len(sizes) && sizes[next].at <= at {
				next++
			}
			if next > 0 {
				heights[x] = dots(sizes[next-1].tokens, least, most, 4*height)
			}
		}
	}
	lines := make([]string, height)
	for y := range lines {
		var b strings.Builder
		for x := range width {
			below := 4 * (height - 1 - y)
			b.WriteRune(braille(heights[2*x]-below, heights[2*x+1]-below))
		}
		lines[y] = b.String()
	}
	return lines
}

func dots(tokens, least, most, height int) int {
	if most <= least {
		return height
	}
	log := func(n int) float64 { return math.Log(float64(max(n, 0) + 1)) }
	share := (log(tokens) - log(least)) / (log(most) - log(least))
	return 1 + int(math.Round(share*float64(height-1)))
}

// The dots of a Braille character, from below.
var leftDots, rightDots = [4]rune{0x40, 0x04, 0x02, 0x01}, [4]rune{0x80, 0x20, 0x10, 0x08}

func braille(left, right int) rune {
	r := rune(0x2800)
	for i := range 4 {
		if i < left {
			r |= leftDots[i]
		}
		if i < right {
			r |= rightDots[i]
		}
	}
	return r
}

//go:embed words.txt
var wordsText string

// Words describes a pass's work on a kind of question.
func Words(pass, kind string) string {
	usual := pass
	for line := range strings.Lines(wordsText) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case len(fields) != 3 || fields[0] != pass:
		case fields[1] == kind:
			return fields[2]
		case fields[1] == "-":
			usual = fields[2]
		}
	}
	if pass == "rewrite" && kind != "" {
		return "rewriting by the rule " + kind
	}
	return usual
}

// Step describes an accepted change.
func Step(d whittle.Decision, text func(candidate []byte) []byte) string {
	kind := ""
	if d.About != nil {
		kind = d.About.Kind()
	}
	what := Words(d.Pass, kind) + ": "
	went, came := diff.Excerpt(text(d.Base), text(d.File))
	switch {
	case came == "":
		return what + went
	case went == "":
		return what + "+ " + came
	}
	return what + went + " -> " + came
}
