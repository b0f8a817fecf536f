package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/journal"
	"whittle/internal/others"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/view"
)

// A reporter writes messages and progress to stderr.
type reporter struct {
	verbose, quiet bool
	end            func()                        // ends the display of progress
	text           func(candidate []byte) []byte // the text to show
	course         *view.Course
	said           sync.Map // lines

	mu  sync.Mutex // guards the field below
	out io.Writer  // for whole lines
}

func newReporter(verbose, quiet bool, doing string) *reporter {
	return &reporter{
		verbose: verbose, quiet: quiet, out: os.Stderr, end: func() {}, course: view.NewCourse(doing),
		text: func(file []byte) []byte { return file },
	}
}

func (r *reporter) follow() {
	if !r.quiet {
		r.show(view.Follow(os.Stderr, nil, r.course.String))
	}
}

// show replaces the display of progress.
func (r *reporter) show(out io.Writer, end func()) {
	r.end()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out, r.end = out, end
}

func (r *reporter) writer() io.Writer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return printable.NewWriter(r.out)
}

// observe receives the events of a reduction.
func (r *reporter) observe(e whittle.Event) {
	r.course.Observe(e)
	if d, ok := e.(whittle.Decision); ok && d.Accepted && r.verbose {
		r.line("%s: %s tokens, %s bytes after %s; %s", d.Pass, count(d.Best), count(d.BestBytes),
			view.Tests(d.Tests, r.course.Replayed()), view.Step(d, r.text))
	}
}

// onPanic restores the terminal after a panic. It must be deferred.
func (r *reporter) onPanic() {
	if p := recover(); p != nil {
		r.end()
		panic(p)
	}
}

// starts reports that the input is interesting.
func (r *reporter) starts(s *run.Run) {
	input, language := s.Input.String(), s.Input.Language.Name
	r.course.Does("reading " + printable.String(input) + " as " + language)
	r.detail("%s is interesting; reading it as %s, driver %s, algorithm %s, %d at once, result to %s",
		input, language, s.Search.Driver, s.Search.Algorithm, s.Jobs, s.Out)
}

func (r *reporter) stages(all []chain.Tally) {
	for _, t := range all {
		r.detail("stage %s: %s, %s refused, %v", cmp.Or(t.Name, "test"), view.Tests(t.Tests, 0), count(t.Refused),
			t.Elapsed.Round(time.Millisecond))
	}
}

func (r *reporter) warn(text string) { r.line("%s", text) }

func (r *reporter) detail(format string, args ...any) {
	if r.verbose {
		r.line(format, args...)
	}
}

// line prints a line unless --quiet is given. The stages of a run repeat some, which are printed once.
func (r *reporter) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if _, again := r.said.LoadOrStore(text, true); !again && !r.quiet {
		r.say("%s", text)
	}
}

func (r *reporter) say(format string, args ...any) {
	fmt.Fprintf(r.writer(), "whittle: "+format+"\n", args...)
}

func (r *reporter) step(what string) {
	r.course.Does(what)
	r.detail("%s", what)
}

// recognises prints how the failure of a command is recognised. If weak is true, it also warns of
// a criterion that other files meet.
func (r *reporter) recognises(ctx context.Context, s *run.Run, weak bool) error {
	lines, err := s.Recognised(ctx, weak && !r.quiet)
	for _, l := range lines {
		if l.Detail {
			r.detail("%s", l.Text)
		} else {
			r.line("%s", l.Text)
		}
	}
	return err
}

// reads warns of the size or encoding of an input, and lists the files left out.
func (r *reporter) reads(in *run.Input) {
	if in.Warning != "" {
		r.line("%s", in.Warning)
	}
	for _, path := range in.Skipped {
		r.line("%s is left out: tests and files of version control are not reduced", path)
	}
}

func (r *reporter) resumes(j *journal.Journal) {
	j.Lost = func(err error) { r.line("cannot write to the journal: %v; continuing without it", err) }
	if n := j.Torn; n > 0 {
		r.detail("%s ends with %s after the last outcome, which are dropped",
			printable.Line(j.Path), english.Plural(int(n), "byte", ""))
	}
	if n := j.Known(); n > 0 {
		r.line("resuming: %s known from %s", english.Plural(n, "outcome", ""), printable.Line(j.Path))
	}
}

func (r *reporter) summary(path string, in *output.Input, result whittle.Result) {
	for _, p := range result.Passes {
		r.detail("pass %-11s %8s tests %8s tokens removed in %v",
			p.Name, count(p.Tests), count(p.TokensRemoved), p.Elapsed.Round(time.Millisecond))
		if p.Skipped {
			r.line("you skipped a run of the pass %s", p.Name)
		}
	}
	end := ""
	if !result.Complete {
		end = "; stopped early, more may go"
	}
	if result.Unconfirmed {
		end += "; there was no time to test it again"
	}
	if result.Refuted > 0 {
		end += "; the test is flaky"
	}
	filesBefore, bytesBefore := in.Measure(in.Bytes)
	files, bytes := in.Measure(result.File)
	sizes := ""
	if in.Set != nil {
		sizes = fmt.Sprintf("%s -> %s files, ", count(filesBefore), count(files))
	}
	if result.TokensAtAll > 0 || result.Complete { // otherwise the input was not parsed
		sizes += fmt.Sprintf("%s -> %s tokens, ", count(result.TokensAtAll), count(result.Tokens))
	}
	r.line("%s: %s%s -> %s bytes (%.2f%% gone), %s in %v%s%s", path, sizes, count(bytesBefore), count(bytes),
		100-view.Percent(bytes, bytesBefore), view.Tests(result.Tests, result.Replayed),
		r.course.Elapsed().Round(100*time.Millisecond), r.course.There(), end)
}

// The limits of a result to print.
const shownLines, shownBytes = 25, 1200

func (r *reporter) shows(result []byte) {
	text := bytes.TrimRight(result, "\n")
	if r.quiet || len(text) == 0 || len(text) > shownBytes || bytes.Count(text, []byte("\n")) >= shownLines ||
		!utf8.Valid(text) {
		return
	}
	fmt.Fprintf(r.writer(), "\n%s\n\n", text)
}

// shownOthers is the maximal number of other failures to list.
const shownOthers = 4

// others reports candidates that failed in another way. looser is the path of a smaller file with
// the same failing function but other callers, or "".
func (r *reporter) others(kept *others.Set, refused int, looser string) {
	if looser != "" {
		r.line("%s is smaller and fails in the same function, called in another way; --frames 1 accepts that", looser)
	}
	var titles []string
	for _, k := range kept.All() {
		titles = append(titles, k.Title)
	}
	if n := len(titles) - shownOthers; n > 1 {
		titles = append(titles[:shownOthers], fmt.Sprintf("%d more", n))
	}
	if len(titles) > 0 {
		r.line("%s failed in another way and %s refused; %s: %s", english.Plural(refused, "candidate", ""),
			map[bool]string{true: "was", false: "were"}[refused == 1], kept.Dir, strings.Join(titles, "; "))
	}
	if err := kept.Err(); err != nil {
		r.line("%v", err)
	}
}

func (r *reporter) needs(end run.End) {
	if end.Command == "" {
		return
	}
	r.line("what it takes: %s", printable.Line(shell.Line(end.Command)))
	if len(end.Added) > 0 {
		r.line("%s: added to make tests faster, and %s", strings.Join(end.Added, " "),
			map[bool]string{true: "not tried without", false: "now needed"}[end.Untried])
	}
}

func count(n int) string { return humanize.Comma(int64(n)) }
