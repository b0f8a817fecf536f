package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"whittle"
)

// plainInterval is how often a line tells of the progress where there is no
// terminal.
const plainInterval = 10 * time.Second

// talk tells on stderr how a reduction is going.
type talk struct {
	flags  reduceFlags
	out    io.Writer
	bar    *progressbar.ProgressBar // nil if not on a terminal
	name   string
	began  time.Time
	said   time.Time
	tokens int // of the input, as the first decision shows it
}

func newTalk(f reduceFlags, name string) *talk {
	t := &talk{flags: f, out: os.Stderr, name: name, began: time.Now(), said: time.Now()}
	if term.IsTerminal(int(os.Stderr.Fd())) && !f.quiet {
		t.bar = progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(t.out), progressbar.OptionSpinnerType(14),
			progressbar.OptionSetDescription("testing "+name), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
		t.bar.RenderBlank()
	}
	return t
}

func (t *talk) decided(d whittle.Decision) {
	if t.flags.quiet {
		return
	}
	now := time.Now()
	if t.bar != nil {
		t.bar.Describe(t.state(d, now))
		t.bar.Add(1)
	} else if now.Sub(t.said) >= plainInterval {
		t.said = now
		fmt.Fprintf(t.out, "whittle: %s, %v\n", t.state(d, now), now.Sub(t.began).Round(time.Second))
	}
	if t.flags.verbose && d.Accepted {
		t.line("%s: %s tokens, %s bytes after %s tests", d.Pass, count(d.Best), count(d.BestBytes), count(d.Tests))
	}
}

// state is the progress in one line.
func (t *talk) state(d whittle.Decision, now time.Time) string {
	percent := 100 * float64(d.Best) / float64(max(d.AtAll, 1))
	rate := float64(d.Tests) / max(now.Sub(t.began).Seconds(), 0.001)
	return fmt.Sprintf("%s of %s tokens (%.1f%%), %s bytes, %s tests (%.0f/s), %s",
		count(d.Best), count(d.AtAll), percent, count(d.BestBytes), count(d.Tests), rate, d.Pass)
}

// line prints a line of its own.
func (t *talk) line(format string, args ...any) {
	if t.bar != nil {
		t.bar.Clear()
	}
	fmt.Fprintf(t.out, "whittle: "+format+"\n", args...)
}

func (t *talk) end() {
	if t.bar != nil {
		t.bar.Finish()
	}
}

// summary tells what came out.
func (t *talk) summary(path string, bytesBefore int, r whittle.Result, elapsed time.Duration) {
	if t.flags.quiet {
		return
	}
	if t.flags.verbose {
		for _, p := range r.Passes {
			t.line("pass %-9s %8s tests %8s tokens removed in %v", p.Name, count(p.Tests), count(p.TokensRemoved), p.Elapsed.Round(time.Millisecond))
		}
	}
	end := ""
	if !r.Complete {
		end = "; stopped early, more may go"
	}
	t.line("%s: %s -> %s tokens, %s -> %s bytes (%.2f%% gone), %s tests in %v%s", path,
		count(r.TokensAtAll), count(r.Tokens), count(bytesBefore), count(len(r.File)),
		100-100*float64(len(r.File))/float64(max(bytesBefore, 1)), count(r.Tests), elapsed.Round(100*time.Millisecond), end)
}

func count(n int) string { return humanize.Comma(int64(n)) }

// lastLines gives the end of a text.
func lastLines(text []byte, n int) []byte {
	text = bytes.TrimRight(text, "\n")
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '\n' {
			if n--; n == 0 {
				return text[i+1:]
			}
		}
	}
	return text
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// quote makes a word that a shell reads as s.
func quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@%", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
