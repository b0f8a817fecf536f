// Package view shows the progress of a run: on a full screen with keys to control it, in one
// changing line of a terminal, or without a terminal in a line now and then.
//
// A [Course] collects events, a state is a snapshot of it, and a scene is a state with the
// user's view settings. Pure functions draw scenes. A [Full] shows them on the screen.
package view

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// The intervals of updates: of the line in a terminal, and of added lines without a terminal.
const (
	terminalInterval = 100 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// IsTerminal reports whether a file is a terminal whose lines can change.
func IsTerminal(f *os.File) bool {
	width, _, err := cwriter.GetSize(int(f.Fd()))
	return err == nil && width > 0 && os.Getenv("TERM") != "dumb"
}

// lineStart moves the cursor to the column that mpb expects, even after the user typed something,
// such as ^C.
const lineStart = "\r"

// Line shows the state in the last line of a terminal. Text written to above goes above it. end
// removes the line.
func Line(terminal *os.File, state func() string) (above io.Writer, end func()) {
	p := mpb.New(mpb.WithOutput(terminal), mpb.WithRefreshRate(terminalInterval))
	bar := p.MustAdd(0, nil, mpb.BarFillerTrim(), mpb.PrependDecorators(
		decor.Any(func(decor.Statistics) string { return lineStart + state() })))
	return lineStarter{p}, func() {
		bar.Abort(true)
		p.Wait()
		io.WriteString(terminal, lineStart+"\x1b[K")
	}
}

// lineStarter starts each write at the beginning of a line.
type lineStarter struct{ io.Writer }

func (s lineStarter) Write(line []byte) (int, error) {
	n, err := s.Writer.Write(append([]byte(lineStart), line...))
	return max(n-len(lineStart), 0), err
}

// Lines writes the state in a line now and then, until end is called.
func Lines(to io.Writer, state func() string) (end func()) {
	done := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		ticker := time.NewTicker(plainInterval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				fmt.Fprintf(to, "whittle: %s\n", state())
			}
		}
	})
	return func() {
		close(done)
		writer.Wait()
	}
}
