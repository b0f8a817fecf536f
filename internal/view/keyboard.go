package view

import (
	"os"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"
)

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

func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

// inForeground reports whether whittle has a terminal's foreground.
func inForeground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
