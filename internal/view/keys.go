package view

import (
	"os"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"
)

type ui struct {
	help bool
	diff bool   // keys scroll the last change
	tops [2]int // first lines of best file and change
	left int    // first column
}

type action int

const (
	nothing action = iota
	skip
	stop
	pause
	more
	fewer
	interrupt // Ctrl-C
	suspend   // Ctrl-Z
	quit      // Ctrl-\
)

// The keys in order of the help.
var keyTexts = [][2]string{
	{"s", "skip this run of the pass; the result is then not complete"},
	{"q", "stop here and keep the best file; the same command continues"},
	{"p", "pause or resume; running tests end first"},
	{"+  -", "more or fewer tests at once; the result is the same"},
	{"tab", "switch between the best file and its last change"},
	{"↑ ↓ PgUp PgDn Home End", "scroll up and down"},
	{"← →", "scroll left and right"},
	{"Ctrl-C", "interrupt, and keep the best file; twice: at once"},
	{"Ctrl-Z", "back to the shell; fg continues"},
	{"?", "this help"},
}

const keysWidth = 24

func (s *scene) foot() string {
	p := "p pause"
	if s.paused {
		p = "p resume"
	}
	return "s skip pass  q stop and keep  " + p + "  + - jobs  tab change  ↑↓ move  ? help"
}

func (s *scene) keys(width, height int) []string {
	lines := []string{s.look.strong(rule("keys", "", width))}
	for _, k := range keyTexts {
		lines = append(lines, fit(" "+k[0]+strings.Repeat(" ", max(keysWidth-len([]rune(k[0])), 1))+k[1], width))
	}
	return lines[:min(len(lines), height)]
}

// press returns the settings and action after a key, for pages of so many lines and the lengths
// of both texts.
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

const aside = 16

// A keyboard reads a terminal's keys without echo. Ctrl-C and Ctrl-Z still send signals.
type keyboard struct {
	cancelreader.CancelReader
	file   *os.File
	before *term.State
}

func openKeyboard(f *os.File) (*keyboard, error) {
	before, err := term.GetState(f.Fd())
	if err != nil {
		return nil, err
	}
	reader, err := cancelreader.NewReader(f)
	if err != nil {
		return nil, err
	}
	now := *before
	now.Lflag &^= unix.ICANON | unix.ECHO
	now.Iflag &^= unix.IXON // Ctrl-S would stop the view
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if err := term.SetState(f.Fd(), &now); err != nil {
		return nil, err
	}
	return &keyboard{reader, f, before}, nil
}

// Restore restores the terminal's mode.
func (k *keyboard) Restore() {
	term.Restore(k.file.Fd(), k.before)
	k.Close()
}

// raise sends a key's signal to the process group, for terminals that only report the key.
func raise(a action) {
	signal := map[action]syscall.Signal{
		interrupt: syscall.SIGINT, quit: syscall.SIGQUIT, suspend: syscall.SIGTSTP,
	}
	syscall.Kill(0, signal[a])
}

func inForeground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
