package main

import (
	"bytes"
	"cmp"
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
	"whittle/diagnose"
	"whittle/guard"
	"whittle/internal/advice"
	"whittle/internal/printable"
	"whittle/internal/reduction"
	"whittle/internal/session"
	"whittle/internal/view"
	"whittle/oracle"
	"whittle/oracle/stages"
	"whittle/search/journal"
	"whittle/sink"
)

// A reporter says on stderr how a run is going.
type reporter struct {
	verbose, quiet bool
	end            func() // of the progress
	start          time.Time
	full           *view.Full                    // nil for none
	text           func(candidate []byte) []byte // as it is shown
	elsewhere      func() string                 // where tests run besides this machine; nil is nowhere

	mu       sync.Mutex // guards what follows
	out      io.Writer  // for whole lines
	doing    string     // before the first decision
	replayed int        // tests that an earlier run had done
	last     *whittle.Decision
}

func newReporter(f runFlags, name string) *reporter {
	r := &reporter{
		verbose: f.verbose, quiet: f.quiet, out: os.Stderr, end: func() {}, start: time.Now(),
		doing: "testing " + printable.String(name) + " as it is",
		text:  func(file []byte) []byte { return file },
	}
	switch {
	case f.quiet:
	case view.IsTerminal(os.Stderr):
		above, end := view.Line(os.Stderr, r.state)
		r.out = above
		r.end = func() {
			end()
			r.mu.Lock()
			r.out = os.Stderr
			r.mu.Unlock()
		}
	default:
		r.end = view.Lines(os.Stderr, r.state)
	}
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

// state returns the progress in one line.
func (r *reporter) state() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	elapsed := time.Since(r.start)
	d := r.last
	if d == nil {
		return fmt.Sprintf("%s%s, %v", r.doing, r.there(), elapsed.Round(time.Second))
	}
	rate, digits := float64(d.Tests-r.replayed)/max(elapsed.Seconds(), 0.001), 0
	if rate < 9.5 {
		digits = 1
	}
	return fmt.Sprintf("%s/%s tokens (%.1f%%), %s, %s (%.*f/s)%s, %s, %v",
		count(d.Best), count(d.AtAll), percent(d.Best, d.AtAll), humanize.Bytes(uint64(d.BestBytes)),
		tests(d.Tests, r.replayed), digits, rate, r.there(), d.Pass, elapsed.Round(time.Second))
}

// there says where tests run besides this machine, as a part of a line.
func (r *reporter) there() string {
	if r.elsewhere == nil {
		return ""
	}
	if where := r.elsewhere(); where != "" {
		return ", " + where
	}
	return ""
}

func (r *reporter) decided(d whittle.Decision) {
	r.mu.Lock()
	r.last = &d
	if d.Replayed {
		r.replayed++
	}
	replayed := r.replayed
	r.mu.Unlock()
	if r.full != nil {
		r.full.Course.Decided(d)
	}
	if d.Accepted && r.verbose {
		r.line("%s: %s tokens, %s bytes after %s; %s", d.Pass, count(d.Best), count(d.BestBytes),
			tests(d.Tests, replayed), view.Step(d, r.text))
	}
}

// began says that a pass begins.
func (r *reporter) began(pass string) {
	if r.full != nil {
		r.full.Course.Began(pass)
	}
}

// ended says what a pass came to.
func (r *reporter) ended(p whittle.PassResult) {
	if r.full != nil {
		r.full.Course.Ended(p)
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
func (r *reporter) starts(f reduceFlags, input, language, output string) {
	r.does("reading " + printable.String(input) + " as " + language)
	if r.full != nil {
		r.full.Course.Does(r.doing, fmt.Sprintf("%s, %s", language, f.driver))
	}
	r.detail("%s is interesting; reading it as %s, driver %s, algorithm %s, %d at once, result to %s",
		input, language, f.driver, f.algorithm, f.jobs, output)
}

// guarded says what the result has to be accepted by, and who has to agree with one side of
// a difference.
func (r *reporter) guarded(guards []guard.Guard, agree []stages.Stage) {
	var names []string
	for _, g := range guards {
		names = append(names, g.String())
	}
	if len(names) > 0 {
		r.line("keeping it valid for %s; --no-valid switches that off",
			english.OxfordWordSeries(names, "and"))
	}
	if len(agree) > 0 {
		r.line("one side is right, as %s say, and have to say of the result, too", stages.Names(agree))
	}
}

// stages says what the test and what stands behind it have come to.
func (r *reporter) stages(all []stages.Tally) {
	for _, t := range all {
		r.detail("stage %s: %s, %s refused, %v", cmp.Or(t.Name, "test"), tests(t.Tests, 0), count(t.Refused),
			t.Elapsed.Round(time.Millisecond))
	}
}

// does says what is being done as long as nothing is decided.
func (r *reporter) does(what string) {
	r.mu.Lock()
	r.doing = what
	r.mu.Unlock()
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

// recognises says what the failure of a command is known by, and by what else it could be.
func (r *reporter) recognises(s *session.Session) {
	if s.Prepared != "" {
		r.line("%s", s.Prepared)
	}
	found := s.Failure
	if found.Title == "" {
		return
	}
	r.line("looking for: %s", found.Title)
	for _, line := range found.Shown {
		r.detail("  %s", line)
	}
	var others []string
	for _, other := range found.Others {
		if flags := diagnose.Flags(other); flags != "" && len(others) < 3 {
			others = append(others, flags)
		}
	}
	if len(others) > 0 && !found.Strong {
		r.line("if that is not your bug, give %s", strings.Join(others, ", or "))
	} else if len(others) > 0 {
		r.detail("it could also be known by %s", strings.Join(others, ", or "))
	}
}

// reads says what was left out of an input, and what a large one will take.
func (r *reporter) reads(in *session.Input) {
	if in.Weight.Heavy() {
		text, advice := advice.Weight(in.Weight)
		r.line("%s%s", text, advice)
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
		r.detail("%s ends with %s that are no outcome, and are dropped", j.Path(), english.Plural(int(n), "byte", ""))
	}
	if n := j.Known(); n > 0 {
		r.line("resuming: %s known from %s", english.Plural(n, "outcome", ""), j.Path())
	}
}

// flaky says that the test contradicted itself. Its two outputs are kept beside the
// result, unless err says why not.
func (r *reporter) flaky(x oracle.Contradiction, out *sink.Output, err error, confirmations int) {
	paths := session.FlakyPaths(out)
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
func (r *reporter) moved(path, kept string) { r.line("what was in %s is kept as %s", path, kept) }

// summary says what came out.
func (r *reporter) summary(path string, in *sink.Input, result whittle.Result) {
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
	if result.Refuted > 0 {
		end += "; the test is flaky"
	}
	filesBefore, bytesBefore := in.Measure(in.Bytes)
	files, bytes := in.Measure(result.File)
	only := ""
	if in.Set != nil {
		only = fmt.Sprintf("%s -> %s files, ", count(filesBefore), count(files))
	}
	gone := 100 - percent(bytes, bytesBefore)
	r.line("%s: %s%s -> %s tokens, %s -> %s bytes (%.2f%% gone), %s in %v%s%s", path, only,
		count(result.TokensAtAll), count(result.Tokens), count(bytesBefore), count(bytes), gone,
		tests(result.Tests, result.Replayed), time.Since(r.start).Round(100*time.Millisecond), r.there(), end)
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

// others says how often another failure was met, and where that is kept.
func (r *reporter) others(kept *sink.Others, refused int) {
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
	r.line("what it takes: %s", end.Command)
	switch added := strings.Join(end.Added, " "); {
	case len(end.Added) > 0 && complete:
		r.line("%s: added to make it faster, and needed now", added)
	case len(end.Added) > 0:
		r.line("%s: added to make it faster, and not yet tried without", added)
	}
}

func count(n int) string { return humanize.Comma(int64(n)) }

// tests says how many tests there were, some of which an earlier run had done.
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

// percent returns the share of a part. All of nothing is 100 %.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
