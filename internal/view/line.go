// Package view shows a run's progress: on a full screen with keys, in changing lines of a
// terminal, or in a line now and then.
//
// A [Course] collects events, a state is its snapshot, and a scene adds the user's settings. Pure
// functions draw scenes. A [Full] shows them.
package view

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// The intervals of changing lines in a terminal, and of added lines without.
const (
	terminalInterval = 100 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// IsTerminal reports whether a file is a terminal with changing lines.
func IsTerminal(f *os.File) bool {
	width, _, err := term.GetSize(f.Fd())
	return err == nil && width > 0 && os.Getenv("TERM") != "dumb"
}

// Follow shows the state until end: in the last line of a terminal, below at most so many rows and
// the text written to above, or else in a line now and then. rows may be nil.
func Follow(to *os.File, rows func(most int) []string, state func() string) (above io.Writer, end func()) {
	if !IsTerminal(to) {
		return to, Lines(to, state)
	}
	s := &status{terminal: to}
	stop := every(terminalInterval, func() { s.draw(s.lines(rows, state)) })
	return s, func() {
		stop()
		s.draw(nil)
	}
}

// Lines writes the state now and then until end.
func Lines(to io.Writer, state func() string) (end func()) {
	return every(plainInterval, func() { fmt.Fprintf(to, "whittle: %s\n", state()) })
}

// every calls f at intervals. stop waits for its last call.
func every(interval time.Duration, f func()) (stop func()) {
	done := make(chan struct{})
	var caller sync.WaitGroup
	caller.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				f()
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		caller.Wait()
	})
}

// A status is the changing lines at the end of a terminal.
type status struct {
	terminal *os.File

	mu    sync.Mutex
	drawn []string
}

// lines returns the rows and the state, cut to the size of the terminal.
func (s *status) lines(rows func(most int) []string, state func() string) (lines []string) {
	width, height, err := term.GetSize(s.terminal.Fd())
	if err != nil {
		return nil
	}
	if rows != nil {
		lines = rows(max(1, height-2))
	}
	lines = append(lines, state())
	for i, line := range lines {
		lines[i] = fit(line, max(1, width-1))
	}
	return lines
}

// Write writes above the lines. It does not ask for the state, so callers may hold its locks.
func (s *status) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(text), s.replace(string(text), s.drawn)
}

func (s *status) draw(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replace("", lines)
}

// replace replaces the lines by text and other lines, in one write.
func (s *status) replace(text string, lines []string) error {
	clear := ""
	if n := len(s.drawn); n > 0 {
		clear = "\r" + strings.Repeat(ansi.CUU1, n-1) + ansi.EraseScreenBelow
	}
	s.drawn = lines
	_, err := io.WriteString(s.terminal, clear+text+strings.Join(lines, "\n"))
	return err
}
