package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"whittle/internal/printable"
)

type scene struct {
	state
	ui
	file   text
	change text // diff of the last two best files
	look   look
}

type look struct{ strong, faint, new, gone, alarm func(string) string }

// A layout has the heights in lines.
type layout struct{ head, middle, body, talk, foot int }

const (
	head        = 4
	tall        = 12 // least height for the failure
	leastMiddle = 4
	mostMiddle  = 14
	leastBody   = 5
	wide        = 100 // least width for two texts
)

func (s *scene) layOut(height int) (l layout) {
	l.head = min(head, height)
	if s.seeks != "" && height >= tall {
		l.head++
	}
	rest := height - l.head
	if rest > 1 {
		l.foot = 1
		rest--
	}
	if rest > leastBody {
		l.talk = min(len(s.talk), rest/8)
		rest -= l.talk
	}
	if m := min(rest*2/5, mostMiddle); m >= leastMiddle && s.atAll > 0 {
		l.middle = m
		rest -= m
	}
	l.body = rest
	return l
}

func (s *scene) draw(width, height int) []string {
	l := s.layOut(height)
	var lines []string
	for _, part := range []struct {
		lines  []string
		height int
	}{
		{s.head(width, l.head > head), l.head},
		{s.middle(width, l.middle), l.middle},
		{s.body(width, l.body), l.body},
		{s.talking(width, l.talk), l.talk},
		{[]string{s.look.faint(fit(s.foot(), width))}, l.foot},
	} {
		for i := range part.height {
			if i < len(part.lines) {
				lines = append(lines, part.lines[i])
			} else {
				lines = append(lines, "")
			}
		}
	}
	return lines
}

// head shows input, failure if roomy, progress, attempt and workers.
func (s *scene) head(width int, roomy bool) []string {
	lines := s.progress(width)
	if roomy {
		lines = slices.Insert(lines, 1, fit(printable.String(s.seeks), width))
	}
	return lines
}

// progress is head without the failure.
func (s *scene) progress(width int) []string {
	name := "whittle " + printable.String(s.input)
	if s.output != "" {
		name += " → " + printable.String(s.output)
	}
	title := apart(name, s.how+"  "+duration(s.now.Sub(s.began)), width)
	if s.atAll == 0 {
		return []string{s.look.strong(title), fit(printable.String(s.doing), width), fit(s.waits(), width), ""}
	}
	figures := fmt.Sprintf("%s of %s tokens (%.1f%%), %s", count(s.tokens), count(s.atAll),
		Percent(s.tokens, s.atAll), humanize.Bytes(uint64(s.bytes)))
	success := "no success yet"
	if !s.succeeded.IsZero() {
		success = "last success " + duration(s.now.Sub(s.succeeded)) + " ago"
	}
	return []string{
		s.look.strong(title),
		apart(figures, success, width),
		s.trying(width),
		fit(s.workers(), width),
	}
}

func (s *scene) waits() string {
	switch {
	case s.stopped:
		return "STOPPING: the best file is tested again and kept"
	case s.paused:
		return "PAUSED: p resumes"
	}
	return ""
}

func (s *scene) trying(width int) string {
	if waits := s.waits(); waits != "" {
		return s.look.alarm(fit(waits, width))
	}
	what := s.doing
	if s.passing {
		pass := s.turns[len(s.turns)-1].pass
		what = Words(pass, s.kind)
		if what != pass {
			what = pass + ": " + what
		}
	}
	return apart("▶ "+printable.String(what), s.timeLeft(), width)
}

func (s *scene) workers() string {
	parts := []string{fmt.Sprintf("%d of %s busy", s.load.Busy, plural(s.jobs, "job")), Tests(s.tests, s.replayed)}
	if took := s.now.Sub(s.began).Seconds(); s.load.Ended > 0 && took > 0 {
		parts = append(parts, rate(float64(s.load.Ended)/took)+"/s", brief(s.load.Time/time.Duration(s.load.Ended))+" each")
	}
	if s.load.Where != "" {
		parts = append(parts, s.load.Where)
	}
	return strings.Join(parts, ", ")
}

// middle shows the graph and, with room, the passes.
func (s *scene) middle(width, height int) []string {
	if height == 0 {
		return nil
	}
	left := width
	var passes []string
	if width >= 60 {
		passes = s.table(height)
		right := 0
		for _, p := range passes {
			right = max(right, ansi.StringWidth(p))
		}
		left = max(width-right-3, 10)
	}
	drawn := s.graph(left, height)
	for i := range drawn {
		drawn[i] = pad(drawn[i], left)
		if i < len(passes) {
			if passes[i] = fit(passes[i], width-left-3); i == 0 {
				passes[i] = s.look.faint(passes[i])
			}
			drawn[i] += s.look.faint(" │ ") + passes[i]
		}
	}
	return drawn
}

func (s *scene) graph(width, height int) []string {
	elapsed := s.now.Sub(s.began)
	lines := []string{s.look.faint(fit("tokens in "+duration(elapsed)+", by logarithm", width))}
	top, bottom := count(s.atAll), count(s.tokens)
	scale := max(len(top), len(bottom))
	for i, line := range graph(s.sizes, elapsed, width-scale-1, height-1) {
		label := ""
		switch i {
		case height - 2:
			label = bottom
		case 0:
			label = top
		}
		lines = append(lines, fmt.Sprintf("%*s ", scale, label)+line)
	}
	return lines
}

func (s *scene) table(height int) []string {
	running := ""
	if s.passing {
		running = s.turns[len(s.turns)-1].pass
	}
	lines := []string{fmt.Sprintf("  %-12s %7s %8s %7s", "pass", "tests", "tokens", "time")}
	rows := s.passes
	for len(rows) > height-1 {
		if rows[0].name == running {
			rows = rows[:height-1]
			break
		}
		rows = rows[1:]
	}
	for _, r := range rows {
		mark, took := "  ", r.took
		if r.skipped {
			mark = "» "
		}
		if r.name == running {
			mark = "▶ "
			took += s.now.Sub(s.passBegan)
		}
		removed := count(-r.removed)
		if r.removed < 0 {
			removed = "+" + removed
		}
		line := fmt.Sprintf("%s%-12s %7s %8s %7s", mark, fit(r.name, 12), count(r.tests), removed, duration(took))
		lines = append(lines, line)
	}
	return lines
}

// body shows the best file, its last change, or both with room.
func (s *scene) body(width, height int) []string {
	switch {
	case s.help:
		return s.keys(width, height)
	case width < wide && s.ui.diff:
		return s.pane("last change (tab: the best file)", s.change, s.tops[1], width, height, true)
	case width < wide:
		return s.pane("the best file (tab: its last change)", s.file, s.tops[0], width, height, false)
	}
	left := (width - 3) / 2
	right := width - 3 - left
	a := s.pane(marked("the best file", !s.ui.diff), s.file, s.tops[0], left, height, false)
	b := s.pane(marked("last change", s.ui.diff), s.change, s.tops[1], right, height, true)
	for i := range a {
		a[i] = pad(a[i], left) + s.look.faint(" │ ") + b[i]
	}
	return a
}

func marked(title string, moves bool) string {
	if moves {
		return title + " ↑↓"
	}
	return title + " (tab)"
}

func (s *scene) pane(title string, t text, top, width, height int, isDiff bool) []string {
	if height == 0 {
		return nil
	}
	n := t.lines()
	visible := height - 1
	top = min(top, max(n-visible, 0))
	place := ""
	if n > visible && visible > 0 {
		place = fmt.Sprintf("%s-%s of %s", count(top+1), count(min(top+visible, n)), plural(n, "line"))
	} else if n > 0 {
		place = plural(n, "line")
	}
	lines := []string{s.look.strong(rule(title, place, width))}
	for _, row := range t.rows(top, s.left, width, visible) {
		if isDiff && s.left == 0 {
			row = s.coloured(row)
		}
		lines = append(lines, row)
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

func rule(left, right string, width int) string {
	left = "── " + left + " "
	if right != "" {
		right = " " + right + " ──"
	}
	gap := width - ansi.StringWidth(left) - ansi.StringWidth(right)
	if gap < 1 {
		return fit(left, width)
	}
	return left + strings.Repeat("─", gap) + right
}

func (s *scene) coloured(row string) string {
	switch {
	case strings.HasPrefix(row, "+"):
		return s.look.new(row)
	case strings.HasPrefix(row, "-"):
		return s.look.gone(row)
	case strings.HasPrefix(row, "@@"):
		return s.look.faint(row)
	}
	return row
}

func (s *scene) talking(width, height int) (lines []string) {
	for _, line := range s.talk[len(s.talk)-height:] {
		line = strings.TrimPrefix(line, "whittle: ")
		line = strings.Join(strings.Fields(printable.String(line)), " ")
		lines = append(lines, s.look.alarm(fit("! "+line, width)))
	}
	return lines
}

func plural(n int, what string) string { return count(n) + " " + english.PluralWord(n, what, "") }

func rate(x float64) string {
	if x < 9.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return count(int(x + 0.5))
}

func brief(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return duration(d)
}
