// Package view shows a run's progress: on a full screen with keys, in one changing line of a
// terminal, or in a line now and then.
//
// A [Course] collects events, a state is its snapshot, and a scene adds the user's settings. Pure
// functions draw scenes. A [Full] shows them.
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

// The intervals of changing lines in a terminal, and of added lines without.
const (
	terminalInterval = 100 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// IsTerminal reports whether a file is a terminal with changing lines.
func IsTerminal(f *os.File) bool {
	width, _, err := cwriter.GetSize(int(f.Fd()))
	return err == nil && width > 0 && os.Getenv("TERM") != "dumb"
}

// lineStart moves the cursor where mpb expects it, even after typed text, such as ^C.
const lineStart = "\r"

// Line shows the state in a terminal's last line, below the text written to above. end removes
// it.
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

// lineStarter writes at the beginning of a line.
type lineStarter struct{ io.Writer }

func (s lineStarter) Write(line []byte) (int, error) {
	n, err := s.Writer.Write(append([]byte(lineStart), line...))
	return max(n-len(lineStart), 0), err
}

// Lines writes the state now and then until end.
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
