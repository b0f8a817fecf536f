// Package isolation is a run of [isolate.Find] with all that it writes: the two sides of
// the result, the diff, the journal, the trace and the figures.
package isolation

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/disk"
	"whittle/internal/interrupt"
	"whittle/internal/journal"
	"whittle/internal/output"
	"whittle/internal/pair"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/versions"
	"whittle/isolate"
	"whittle/oracle"
)

// Options says what to isolate by, and where results go. All functions are needed.
type Options struct {
	Want, Algorithm string            // as the user names them, for the figures
	By              isolate.Algorithm // nil looks for the smallest difference
	MaxTests        int
	Output, Good    string // where the two sides go; "" is nowhere
	Journal         string // "" is a default
	NoJournal       bool
	KeepJournal     bool
	Fresh           bool   // an earlier run is not gone on with
	Stats, Trace    string // "" is none

	// Moved is told where what was at a path is kept, if it was not ours.
	Moved func(path, kept string)
	// Started is called once the two versions are what they are said to be.
	Started func()
	// Foreign is told that the journal was of something else, and where that is kept.
	Foreign func(what, kept string)
	// Decided is called for each candidate, in order.
	Decided func(isolate.Decision)
}

// A Run is one isolation.
type Run struct {
	*run.Run
	Pair    *versions.Pair
	Journal *journal.Journal // nil for none
	// InOld says that a COMMAND fails in the old version. The new version is then the one that passes, and
	// is interesting as for a TEST.
	InOld bool

	options         Options
	goodOut, badOut *output.Output // nil for none
	record          *run.Recorder
	base            run.Figures // of the figures
}

// Open opens what the run writes and starts the session, which closes it. Nothing is
// touched before the outputs and the journal are ours.
func Open(ctx context.Context, s *run.Run, p *versions.Pair, o Options) (*Run, error) {
	r := &Run{Run: s, Pair: p, options: o}
	var err error
	if r.goodOut, err = r.open("--good", o.Good); err != nil {
		return nil, err
	}
	if r.badOut, err = r.open("--output", o.Output); err != nil {
		return nil, err
	}
	base := run.Figures{
		Driver: o.Want, Algorithm: o.Algorithm, Seed: 1, Language: p.Input.Language.Name, Jobs: s.Jobs,
		Input: p.Input.Input, Began: time.Now(),
	}
	if r.record, err = run.OpenRecorder(o.Stats, o.Trace, false, nil, base); err != nil {
		return nil, err
	}
	s.Later(func() { r.record.Close() })
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	if s.Test.Inline {
		if r.InOld, err = s.Distinguish(ctx, p.GoodFile(), p.Good); err != nil {
			return nil, err
		}
	}
	if !o.NoJournal {
		if err := r.openJournal(); err != nil {
			return nil, err
		}
		s.Later(func() { r.Journal.Close(true) })
	}
	r.base = base
	return r, nil
}

// open opens what a side goes to, of which a flag has the path; nil if that is none.
func (r *Run) open(flag, path string) (*output.Output, error) {
	if path == "" {
		return nil, nil
	}
	taken := map[string]string{r.Pair.Paths[0]: "OLD", r.Pair.Paths[1]: "NEW", r.Program(): "the test"}
	for other, what := range taken {
		if other == "" {
			continue
		}
		if output.SamePath(path, other) || r.Pair.Several() && output.Within(path, other) {
			return nil, &UsageError{fmt.Sprintf("%s %s would overwrite %s; choose another path", flag, path, what)}
		}
	}
	out, err := output.NewOutput(r.Pair.Input.Input, path, r.Program())
	if err != nil {
		return nil, err
	}
	out.Moved = r.options.Moved
	r.Later(out.Release)
	return out, out.Claim()
}

// A UsageError says what the user has to say otherwise.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// openJournal opens the journal: beside what -o writes, else in the user's cache. Where
// none can be, the run goes on without it, unless it was asked for.
func (r *Run) openJournal() (err error) {
	path := r.options.Journal
	switch {
	case path != "":
	case r.badOut != nil:
		path = r.badOut.Sidecar(".journal")
	default:
		path, err = r.inCache()
	}
	if err == nil {
		r.Journal, err = r.OpenJournal(path, r.options.Fresh)
	}
	if err == nil || r.options.Journal != "" || errors.Is(err, disk.ErrInUse) {
		return err
	}
	r.Warn(fmt.Sprintf("%v; continuing without it", err))
	return nil
}

// inCache returns a path in the user's cache that is the same for the same command.
func (r *Run) inCache() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no place for a journal: %w", err)
	}
	cache = filepath.Join(cache, "whittle")
	sum := sha256.Sum256(fmt.Appendf(nil, "%q in %q: %q, %q", r.Spec.Argv, here, r.Pair.Good, r.Pair.Bad))
	return filepath.Join(cache, fmt.Sprintf("isolate-%x.journal", sum[:8])), os.MkdirAll(cache, 0o700)
}

// newer returns the property that the new version has and the old one has not.
func (r *Run) newer(p oracle.Property) oracle.Property {
	if r.InOld {
		return pair.Not(p)
	}
	return p
}

// Find isolates.
func (r *Run) Find(ctx context.Context) (isolate.Result, error) {
	return isolate.Find(ctx, isolate.Options{
		Changes: r.Pair.Changes, Property: r.newer(r.Ask), Confirm: r.newer(r.Afresh().Ask), Jobs: r.Jobs, By: r.options.By,
		MaxTests: r.options.MaxTests, Journal: r.Journal,
		Started: r.started,
		Decided: func(d isolate.Decision) {
			r.options.Decided(d)
			r.record.Decided(whittle.Decision{
				Pass: r.options.Want, Tokens: d.Left, Bytes: d.Bytes, Answer: d.Answer, Accepted: d.Accepted, Tests: d.Tests,
			})
		},
	})
}

// started knows the two versions to be what they are said to be.
func (r *Run) started() error {
	r.options.Started()
	foreign := r.Journal.Foreign()
	if err := r.Journal.Begin(); err != nil || foreign == "" {
		return err
	}
	r.options.Foreign(foreign, r.Journal.Aside())
	return nil
}

// An End is what a run has left.
type End struct {
	GoesOn  bool  // the same command goes on from the journal
	Journal error // of the journal's end
}

// Finish writes what was found: the two sides, and to w the commits and the diff; failed
// is the error of that. Some time after the end of ctx it waits for nobody. What a flaky test
// has said is not gone on with.
func (r *Run) Finish(ctx context.Context, w io.Writer, found isolate.Result, failed error) (End, error) {
	for _, side := range []struct {
		to   *output.Output
		file []byte
	}{{r.goodOut, found.Good}, {r.badOut, found.Bad}} {
		if side.to == nil {
			continue
		}
		if err := cmp.Or(side.to.Write(side.file), side.to.Finish(ctx, interrupt.Late(ctx))); err != nil {
			return End{}, err
		}
	}
	err := r.print(context.WithoutCancel(ctx), w, found)
	figures := r.base
	figures.Language = r.Pair.Input.ReadBy()
	figures.Result = whittle.Result{
		File: found.Bad, Tokens: found.Left, TokensAtAll: found.Changes, Tests: found.Tests, Replayed: found.Replayed,
		Cached: found.Cached, Cancelled: found.Cancelled, TestTime: found.TestTime, Complete: found.Complete,
	}
	r.record.Finish(figures)
	err = cmp.Or(err, r.record.Close())
	flaky := (*isolate.FlakyError)(nil)
	goesOn := !found.Complete && r.Journal.Known() > 0 && !errors.As(failed, &flaky)
	closed := r.Journal.Close(r.options.KeepJournal || goesOn || err != nil)
	return End{goesOn && closed == nil, closed}, err
}

// print writes the difference, below the commits that it is of.
func (r *Run) print(ctx context.Context, w io.Writer, found isolate.Result) error {
	dir, remove, err := r.Scratch()
	if err != nil {
		return err
	}
	defer remove()
	diff, err := r.Pair.Diff(ctx, dir, cmp.Or(r.options.Good, r.Pair.Good), cmp.Or(r.options.Output, r.Pair.Bad), found)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, c := range r.Pair.CommitsOf(algo.Without(found.With, found.Without)) {
		fmt.Fprintf(&text, "commit %s\nAuthor: %s\n    %s\n\n",
			c.Name, printable.String(c.Author), printable.String(c.Subject))
	}
	text.Write(diff)
	_, err = w.Write(text.Bytes())
	return err
}
