package view

import "strings"

// ui is what the user has done to the screen.
type ui struct {
	help bool
	diff bool   // keys move the last change, not the best file
	tops [2]int // the first line of the best file that is shown, and of its last change
	left int    // the first column
}

// An action is what a key asks for besides.
type action int

const (
	nothing action = iota
	skip
	stop
	pause // or go on
	more
	fewer
	interrupt // as Ctrl-C does
	suspend   // as Ctrl-Z
	quit      // as Ctrl-\
)

// The keys, in the order of the help.
var keyTexts = [][2]string{
	{"s", "skip this turn of the pass; then the result is not complete"},
	{"q", "stop here and keep the best file; the same command goes on"},
	{"p", "pause, and go on; tests that run come to their end"},
	{"+  -", "more or fewer tests at once; the result is the same"},
	{"tab", "the best file or its last change, to be shown and moved"},
	{"↑ ↓ PgUp PgDn Home End", "move up and down"},
	{"← →", "move left and right"},
	{"Ctrl-C", "an interrupt: keeps the best file, too; twice: at once"},
	{"Ctrl-Z", "back to the shell; fg goes on"},
	{"?", "this help"},
}

const keysWidth = 24

// foot names the keys in a line.
func (s *scene) foot() string {
	p := "p pause"
	if s.paused {
		p = "p go on"
	}
	return "s skip pass  q stop and keep  " + p + "  + - jobs  tab change  ↑↓ move  ? help"
}

// keys explains the keys.
func (s *scene) keys(width, height int) []string {
	lines := []string{s.look.strong(rule("keys", "", width))}
	for _, k := range keyTexts {
		lines = append(lines, fit(" "+k[0]+strings.Repeat(" ", max(keysWidth-len([]rune(k[0])), 1))+k[1], width))
	}
	return lines[:min(len(lines), height)]
}

// press returns what a key does to the screen, which shows page lines of a text that has
// so many, and what else it asks for.
func (u ui) press(key string, page int, lines [2]int) (ui, action) {
	which := 0
	if u.diff {
		which = 1
	}
	last := max(lines[which]-page, 0)
	top := min(u.tops[which], last)
	switch key {
	case "s":
		return u, skip
	case "q":
		return u, stop
	case "p":
		return u, pause
	case "+", "=":
		return u, more
	case "-", "_":
		return u, fewer
	case "ctrl+c":
		return u, interrupt
	case "ctrl+z":
		return u, suspend
	case "ctrl+\\":
		return u, quit
	case "?", "h":
		u.help = !u.help
	case "esc":
		u.help = false
	case "tab", "shift+tab":
		u.diff = !u.diff
		return u, nothing
	case "up", "k":
		top--
	case "down", "j":
		top++
	case "pgup", "b":
		top -= page
	case "pgdown", "f":
		top += page
	case "home", "g":
		top = 0
	case "end", "G":
		top = last
	case "left":
		u.left = max(u.left-aside, 0)
	case "right":
		u.left += aside
	}
	u.tops[which] = min(max(top, 0), last)
	return u, nothing
}

// aside is how many columns a key moves a text.
const aside = 16
