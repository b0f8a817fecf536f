package view

import (
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// Rows shows the state in a terminal's last line, at most so many rows above it, and the text
// written to above on top. end removes the lines.
func Rows(terminal *os.File, rows func(most int) []string, state func() string) (above io.Writer, end func()) {
	p := mpb.New(mpb.WithOutput(terminal), mpb.WithRefreshRate(terminalInterval))
	table := mpb.BarFillerFunc(func(w io.Writer, s decor.Statistics) error {
		_, height, err := cwriter.GetSize(int(terminal.Fd()))
		if err != nil {
			return err
		}
		for _, row := range rows(max(1, height-2)) {
			if _, err := io.WriteString(w, ansi.Truncate(row, max(1, s.AvailableWidth-1), "…")+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
	bar := p.MustAdd(0, nil, mpb.BarFillerTrim(), mpb.BarExtender(table, true), mpb.PrependDecorators(
		decor.Any(func(decor.Statistics) string { return lineStart + state() })))
	return lineStarter{p}, func() {
		bar.Abort(true)
		p.Wait()
		io.WriteString(terminal, lineStart+"\x1b[K")
	}
}
