package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"whittle"
)

// How often the progress is shown: on a terminal, where it is one line that
// changes, and elsewhere, where each time adds a line.
const (
	terminalInterval = 100 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// clearLine brings the cursor to the start of an empty line.
const clearLine = "\r\x1b[K"

// talk tells on stderr how a reduction is going.
type talk struct {
	verbose, quiet bool
	out            io.Writer
	width          func() int // of the terminal; nil if it is none
	began          time.Time

	stop, stopped chan struct{}

	mu    sync.Mutex // guards what follows, and out
	doing string     // before the first decision
	last  *whittle.Decision
	shown string // on the terminal now
}

func newTalk(f reduceFlags, name string) *talk {
	t := &talk{
		verbose: f.verbose, quiet: f.quiet, doing: "testing " + printable(name) + " as it is", out: os.Stderr, began: time.Now(),
		stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	fd := int(os.Stderr.Fd())
	interval := plainInterval
	if term.IsTerminal(fd) && os.Getenv("TERM") != "dumb" {
		interval = terminalInterval
		t.width = func() int {
			if w, _, err := term.GetSize(fd); err == nil && w > 0 {
				return w
			}
			return 80
		}
	}
	go t.keepShowing(interval)
	return t
}

func (t *talk) keepShowing(interval time.Duration) {
	defer close(t.stopped)
	if t.quiet {
		return
	}
	if t.width != nil {
		t.show()
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-t.stop:
			return
		case <-ticker.C:
			t.show()
		}
	}
}

// show shows the progress. On a terminal nothing is written that is there
// already, and all in one piece, so that nothing flickers.
func (t *talk) show() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.width == nil {
		fmt.Fprintf(t.out, "whittle: %s\n", t.state())
		return
	}
	if state := t.fitting(); state != t.shown {
		io.WriteString(t.out, clearLine+state)
		t.shown = state
	}
}

// fitting is the part of state that fits on the terminal.
func (t *talk) fitting() string {
	state := t.state()
	if r := []rune(state); len(r) >= t.width() { // the last column may wrap
		return string(r[:t.width()-1])
	}
	return state
}

// state is the progress in one line.
func (t *talk) state() string {
	elapsed := time.Since(t.began)
	d := t.last
	if d == nil {
		return fmt.Sprintf("%s, %v", t.doing, elapsed.Round(time.Second))
	}
	rate, digits := float64(d.Tests)/max(elapsed.Seconds(), 0.001), 0
	if rate < 9.5 {
		digits = 1
	}
	return fmt.Sprintf("%s/%s tokens (%.1f%%), %s, %s (%.*f/s), %s, %v",
		count(d.Best), count(d.AtAll), percent(d.Best, d.AtAll), humanize.Bytes(uint64(d.BestBytes)),
		tests(d.Tests), digits, rate, d.Pass, elapsed.Round(time.Second))
}

func (t *talk) decided(d whittle.Decision) {
	t.mu.Lock()
	t.last = &d
	t.mu.Unlock()
	if d.Accepted {
		t.detail("%s: %s tokens, %s bytes after %s", d.Pass, count(d.Best), count(d.BestBytes), tests(d.Tests))
	}
}

// starts tells that the input is interesting.
func (t *talk) starts(f reduceFlags, input, language, output string) {
	t.mu.Lock()
	t.doing = "reading " + printable(input) + " as " + language
	t.mu.Unlock()
	t.detail("%s is interesting; reading it as %s, driver %s, algorithm %s, %d at once, result to %s",
		input, language, f.driver, f.algorithm, f.jobs, output)
}

// detail prints a line for those who want to know more.
func (t *talk) detail(format string, args ...any) {
	if t.verbose {
		t.line(format, args...)
	}
}

// line prints a line of its own.
func (t *talk) line(format string, args ...any) {
	if t.quiet {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	line := fmt.Sprintf("whittle: "+format+"\n", args...)
	if t.shown != "" {
		t.shown = t.fitting()
		line = clearLine + line + t.shown
	}
	io.WriteString(t.out, line)
}

// end ends the progress, and leaves nothing of it on the terminal.
func (t *talk) end() {
	close(t.stop)
	<-t.stopped
	if t.shown != "" {
		io.WriteString(t.out, clearLine)
		t.shown = ""
	}
}

// summary tells what came out. r is nil if the reduction had to be left where it
// was.
func (t *talk) summary(out *output, bytesBefore int, r *whittle.Result) {
	gone := 100 - percent(len(out.best), bytesBefore)
	if r == nil {
		t.line("%s: %s -> %s bytes (%.2f%% gone); stopped early, more may go", out.path, count(bytesBefore), count(len(out.best)), gone)
		return
	}
	for _, p := range r.Passes {
		t.detail("pass %-9s %8s tests %8s tokens removed in %v", p.Name, count(p.Tests), count(p.TokensRemoved), p.Elapsed.Round(time.Millisecond))
	}
	end := ""
	if !r.Complete {
		end = "; stopped early, more may go"
	}
	t.line("%s: %s -> %s tokens, %s -> %s bytes (%.2f%% gone), %s in %v%s", out.path,
		count(r.TokensAtAll), count(r.Tokens), count(bytesBefore), count(len(r.File)), gone, tests(r.Tests), time.Since(t.began).Round(100*time.Millisecond), end)
}

func count(n int) string { return humanize.Comma(int64(n)) }

func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return count(n) + " tests"
}

// percent gives the share of a part. All of nothing is 100 %.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
