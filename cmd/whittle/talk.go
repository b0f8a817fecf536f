package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/internal/printable"
)

// talk tells on stderr how a reduction is going.
type talk struct {
	verbose, quiet bool
	end            func() // of the progress
	began          time.Time

	mu       sync.Mutex // guards what follows
	out      io.Writer  // for whole lines
	doing    string     // before the first decision
	replayed int        // tests that an earlier run had done
	last     *whittle.Decision
}

func newTalk(f runFlags, name string) *talk {
	t := &talk{
		verbose: f.verbose, quiet: f.quiet, out: os.Stderr, end: func() {}, began: time.Now(),
		doing: "testing " + printable.String(name) + " as it is",
	}
	switch {
	case f.quiet:
	case isTerminal(os.Stderr):
		above, end := showOnTerminal(os.Stderr, t.state)
		t.out = above
		t.end = func() {
			end()
			t.mu.Lock()
			t.out = os.Stderr
			t.mu.Unlock()
		}
	default:
		t.end = showPlainly(os.Stderr, t.state)
	}
	return t
}

// state is the progress in one line.
func (t *talk) state() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	elapsed := time.Since(t.began)
	d := t.last
	if d == nil {
		return fmt.Sprintf("%s, %v", t.doing, elapsed.Round(time.Second))
	}
	rate, digits := float64(d.Tests-t.replayed)/max(elapsed.Seconds(), 0.001), 0
	if rate < 9.5 {
		digits = 1
	}
	return fmt.Sprintf("%s/%s tokens (%.1f%%), %s, %s (%.*f/s), %s, %v",
		count(d.Best), count(d.AtAll), percent(d.Best, d.AtAll), humanize.Bytes(uint64(d.BestBytes)),
		tests(d.Tests, t.replayed), digits, rate, d.Pass, elapsed.Round(time.Second))
}

func (t *talk) decided(d whittle.Decision) {
	t.mu.Lock()
	t.last = &d
	if d.Replayed {
		t.replayed++
	}
	replayed := t.replayed
	t.mu.Unlock()
	if d.Accepted {
		t.detail("%s: %s tokens, %s bytes after %s", d.Pass, count(d.Best), count(d.BestBytes), tests(d.Tests, replayed))
	}
}

// starts tells that the input is interesting.
func (t *talk) starts(f reduceFlags, input, language, output string) {
	t.does("reading " + printable.String(input) + " as " + language)
	t.detail("%s is interesting; reading it as %s, driver %s, algorithm %s, %d at once, result to %s",
		input, language, f.driver, f.algorithm, f.jobs, output)
}

// does tells what is being done as long as nothing is decided.
func (t *talk) does(what string) {
	t.mu.Lock()
	t.doing = what
	t.mu.Unlock()
}

// detail prints a line for those who want to know more.
func (t *talk) detail(format string, args ...any) {
	if t.verbose {
		t.line(format, args...)
	}
}

// line prints a line of its own.
func (t *talk) line(format string, args ...any) {
	if !t.quiet {
		t.say(format, args...)
	}
}

// status prints the state, even to those who want to know nothing else.
func (t *talk) status() { t.say("%s", t.state()) }

func (t *talk) say(format string, args ...any) {
	t.mu.Lock()
	out := t.out
	t.mu.Unlock()
	fmt.Fprintf(printable.NewWriter(out), "whittle: "+format+"\n", args...)
}

// moved tells where something of the user's is kept.
func (t *talk) moved(path, kept string) { t.line("what was in %s is kept as %s", path, kept) }

// summary tells what came out.
func (t *talk) summary(path string, s *subject, r whittle.Result) {
	for _, p := range r.Passes {
		t.detail("pass %-9s %8s tests %8s tokens removed in %v", p.Name, count(p.Tests), count(p.TokensRemoved), p.Elapsed.Round(time.Millisecond))
	}
	end := ""
	if !r.Complete {
		end = "; stopped early, more may go"
	}
	if r.Refuted > 0 {
		end += "; the test is flaky"
	}
	filesBefore, bytesBefore := s.Measure(s.Bytes)
	files, bytes := s.Measure(r.File)
	only := ""
	if s.Set != nil {
		only = fmt.Sprintf("%s -> %s files, ", count(filesBefore), count(files))
	}
	gone := 100 - percent(bytes, bytesBefore)
	t.line("%s: %s%s -> %s tokens, %s -> %s bytes (%.2f%% gone), %s in %v%s", path, only,
		count(r.TokensAtAll), count(r.Tokens), count(bytesBefore), count(bytes), gone, tests(r.Tests, r.Replayed), time.Since(t.began).Round(100*time.Millisecond), end)
}

func count(n int) string { return humanize.Comma(int64(n)) }

// tests tells of n tests, some of which an earlier run had done.
func tests(n, replayed int) string {
	s := count(n) + " tests"
	if n == 1 {
		s = "1 test"
	}
	if replayed > 0 {
		s += " (" + count(replayed) + " from the journal)"
	}
	return s
}

// percent gives the share of a part. All of nothing is 100 %.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
