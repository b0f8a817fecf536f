// Package view shows how a run is going: on a whole screen, with keys to steer it by; in
// one line of a terminal that changes; or, where there is none, in a line now and then.
//
// A [Course] collects what is known, a state is that at one time, and a scene is a state
// as somebody looks at it, which is drawn by pure functions. A [Full] brings it to the
// screen and takes it away.
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

// How often the progress is shown: on a terminal, where it is one line that
// changes, and elsewhere, where each time adds a line.
const (
	terminalInterval = 100 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// IsTerminal reports whether a file is a terminal whose lines can change.
func IsTerminal(f *os.File) bool {
	width, _, err := cwriter.GetSize(int(f.Fd()))
	return err == nil && width > 0 && os.Getenv("TERM") != "dumb"
}

// lineStart brings the cursor to where mpb takes it to be, even if the user has
// typed something, as the ^C of an interrupt.
const lineStart = "\r"

// Line keeps the state in the last line of a terminal, below what is
// written to above. In the end nothing of it is left.
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

// lineStarter writes each piece to the start of a line.
type lineStarter struct{ io.Writer }

func (s lineStarter) Write(line []byte) (int, error) {
	n, err := s.Writer.Write(append([]byte(lineStart), line...))
	return max(n-len(lineStart), 0), err
}

// Lines writes the state in a line of its own, now and then.
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
