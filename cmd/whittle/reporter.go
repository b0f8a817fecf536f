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
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/reduction"
	"whittle/internal/run"
	"whittle/internal/view"
)

// A reporter says on stderr how a run is going.
type reporter struct {
	verbose, quiet bool
	end            func()                        // of the progress
	full           *view.Full                    // nil for none
	text           func(candidate []byte) []byte // as it is shown

	mu       sync.Mutex // guards what follows
	out      io.Writer  // for whole lines
	progress *view.Progress
}

func newReporter(verbose, quiet bool, input string) *reporter {
	r := &reporter{
		verbose: verbose, quiet: quiet, out: os.Stderr, end: func() {},
		progress: view.NewProgress("reading " + printable.String(input)),
		text:     func(file []byte) []byte { return file },
	}
	r.follow()
	return r
}

// fills has a view that fills the terminal, if there is one, take the place of the line.
func (r *reporter) fills(full *view.Full) {
	if full == nil {
		return
	}
	r.end()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.full, r.out, r.end = full, full, full.End
}

// observe receives the events of a reduction.
func (r *reporter) observe(e whittle.Event) {
	if r.full != nil {
		r.full.Course.Observe(e)
	}
	switch e := e.(type) {
	case whittle.Decision:
		r.decided(e)
	case whittle.Refuted:
		r.refuted(e.File)
	}
}

func (r *reporter) decided(d whittle.Decision) {
	replayed := r.progress.Decided(d)
	if d.Accepted && r.verbose {
		r.line("%s: %s tokens, %s bytes after %s; %s", d.Pass, count(d.Best), count(d.BestBytes),
			view.Tests(d.Tests, replayed), view.Step(d, r.text))
	}
}

// onPanic, deferred, gives the terminal back before the program dies.
func (r *reporter) onPanic() {
	if p := recover(); p != nil {
		r.end()
		panic(p)
	}
}

// starts says that the input is interesting.
func (r *reporter) starts(f *flags, input, language, output string) {
	doing := "reading " + printable.String(input) + " as " + language
	r.progress.Does(doing)
	if r.full != nil {
		r.full.Course.Does(doing, fmt.Sprintf("%s, %s", language, f.driver))
	}
	r.detail("%s is interesting; reading it as %s, driver %s, algorithm %s, %d at once, result to %s",
		input, language, f.driver, f.algorithm, f.jobs, output)
}

// stages says what the test and what stands behind it have come to.
func (r *reporter) stages(all []chain.Tally) {
	for _, t := range all {
		r.detail("stage %s: %s, %s refused, %v", cmp.Or(t.Name, "test"), view.Tests(t.Tests, 0), count(t.Refused),
			t.Elapsed.Round(time.Millisecond))
	}
}

// detail prints a line for those who want to know more.
func (r *reporter) detail(format string, args ...any) {
	if r.verbose {
		r.line(format, args...)
	}
}

// line prints a line of its own.
func (r *reporter) line(format string, args ...any) {
	if !r.quiet {
		r.say(format, args...)
	}
}

// status prints the state, even to those who want to know nothing else.
func (r *reporter) status() { r.say("%s", r.state()) }

func (r *reporter) say(format string, args ...any) {
	r.mu.Lock()
	out := r.out
	r.mu.Unlock()
	fmt.Fprintf(printable.NewWriter(out), "whittle: "+format+"\n", args...)
}

// recognises says what the failure of a command is known by, and, if weak is true, whether
// others meet the criterion as well.
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

// reads says what was left out of an input, and what a large one will take.
func (r *reporter) reads(in *run.Input) {
	if warning := in.Weight.Warning(); warning != "" {
		r.line("%s", warning)
	}
	for _, path := range in.Skipped {
		r.line("%s is left out: a test or what a program for version control keeps is not reduced", path)
	}
}

// resumes says what is known from a journal.
func (r *reporter) resumes(j *journal.Journal) {
	if j == nil {
		return
	}
	j.Lost = func(err error) { r.line("cannot write to the journal: %v; going on without it", err) }
	if n := j.Torn(); n > 0 {
		r.detail("%s ends with %s that are no outcome, and are dropped",
			printable.Line(j.Path()), english.Plural(int(n), "byte", ""))
	}
	if n := j.Known(); n > 0 {
		r.line("resuming: %s known from %s", english.Plural(n, "outcome", ""), printable.Line(j.Path()))
	}
}

// flaky says that the test contradicted itself. Its two outputs are kept beside the
// result, unless err says why not.
func (r *reporter) flaky(x chain.Contradiction, out *output.Output, err error, confirmations int) {
	paths := run.FlakyPaths(out)
	kept := fmt.Sprintf("%s and %s have the two outputs", paths[0], paths[1])
	if err != nil {
		kept = fmt.Sprintf("the two outputs cannot be kept: %v", err)
	}
	outcomes := "interesting once and once not"
	if x.Other.TimedOut {
		outcomes = "interesting once, and once ran out of time"
	}
	r.line("the test is flaky: the same %s bytes were %s; %s; going on with %d confirmations",
		count(len(x.Candidate)), outcomes, kept, confirmations)
}

// refuted says that a result does not hold.
func (r *reporter) refuted(file []byte) {
	r.line("the result of %s bytes does not hold when it is tested again; going back to one that does", count(len(file)))
}

// moved says where something of the user's is kept.
func (r *reporter) moved(path, kept string) {
	r.line("what was in %s is kept as %s", printable.Line(path), printable.Line(kept))
}

// summary says what came out.
func (r *reporter) summary(path string, in *output.Input, result whittle.Result) {
	for _, p := range result.Passes {
		r.detail("pass %-11s %8s tests %8s tokens removed in %v",
			p.Name, count(p.Tests), count(p.TokensRemoved), p.Elapsed.Round(time.Millisecond))
	}
	for _, p := range result.Passes {
		if p.Skipped {
			r.line("a turn of the pass %s was skipped by you", p.Name)
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
	only := ""
	if in.Set != nil {
		only = fmt.Sprintf("%s -> %s files, ", count(filesBefore), count(files))
	}
	gone := 100 - view.Percent(bytes, bytesBefore)
	tokens := fmt.Sprintf("%s -> %s tokens, ", count(result.TokensAtAll), count(result.Tokens))
	if result.TokensAtAll == 0 && !result.Complete { // it was not read
		tokens = ""
	}
	r.line("%s: %s%s%s -> %s bytes (%.2f%% gone), %s in %v%s%s", path, only, tokens,
		count(bytesBefore), count(bytes), gone, view.Tests(result.Tests, result.Replayed),
		time.Since(r.progress.Began).Round(100*time.Millisecond), r.progress.There(), end)
}

// How long a result may be that is shown.
const (
	shownLines = 25
	shownBytes = 1200
)

// shows shows a result that is short enough to be read at once.
func (r *reporter) shows(result []byte) {
	text := bytes.TrimRight(result, "\n")
	if r.quiet || len(text) == 0 || len(text) > shownBytes || bytes.Count(text, []byte("\n")) >= shownLines ||
		!utf8.Valid(text) {
		return
	}
	r.mu.Lock()
	out := r.out
	r.mu.Unlock()
	fmt.Fprintf(printable.NewWriter(out), "\n%s\n\n", text)
}

// shownOthers is how many other failures are named.
const shownOthers = 4

// others says how often another failure was met, and where that is kept; looser is the path
// of a smaller file that only the callers of a function tell from the result, "" for none.
func (r *reporter) others(kept *output.Others, refused int, looser string) {
	if looser != "" {
		r.line("%s is smaller and fails in the same function, called in another way; --frames 1 accepts that", looser)
	}
	titles := kept.Titles()
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

// needs says how the command is called for the result.
func (r *reporter) needs(end reduction.End, complete bool) {
	if end.Command == "" {
		return
	}
	r.line("what it takes: %s", printable.Line(end.Command))
	switch added := strings.Join(end.Added, " "); {
	case len(end.Added) > 0 && complete:
		r.line("%s: added to make it faster, and needed now", added)
	case len(end.Added) > 0:
		r.line("%s: added to make it faster, and not yet tried without", added)
	}
}

func count(n int) string { return humanize.Comma(int64(n)) }
