// Package isolation runs [isolate.Find] for the isolate command. It reads two versions, from files,
// directories or git; writes versions, diff, journal, trace and figures; and reduces pairs of files.
// It makes patches in a temporary repository, not the user's.
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
	"sync"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/isolate"
	"whittle/oracle"
)

// Values of Options.Want.
const (
	Change     = "change"
	Difference = "difference"
)

// Options configures an isolation, in addition to [run.Reduction].
type Options struct {
	Want      string // Change or Difference
	Algorithm string
	Good      string // may be empty

	Started func()                 // called when both versions have the expected outcomes
	Decided func(isolate.Decision) // called in order
}

type Run struct {
	*run.Run
	Pair  *Pair
	InOld bool // the old version fails, so the new one is good

	options Options
	outputs [2]*output.Output // of --good and --output; may be nil
	record  *output.Recorder
	base    output.Figures
}

// Open claims outputs and journal before it changes any file, and starts the test.
func Open(ctx context.Context, s *run.Run, p *Pair, o Options) (*Run, error) {
	r := &Run{Run: s, Pair: p, options: o}
	var err error
	for i, to := range [...]struct{ flag, path string }{{"--good", o.Good}, {"--output", r.Output}} {
		if r.outputs[i], err = r.claim(to.flag, to.path); err != nil {
			return nil, err
		}
	}
	r.base = output.Figures{
		Driver: o.Want, Algorithm: o.Algorithm, Seed: 1, Language: p.Input.Language.Name, Jobs: s.Jobs,
		Input: p.Input.Input, Began: time.Now(),
	}
	r.record, err = output.NewRecorder(r.Records, false, nil)
	s.Later(func() { r.record.Finish(r.base) })
	if err != nil {
		return nil, err
	}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	if s.Test.Inline {
		if r.InOld, err = s.Distinguish(ctx, p.GoodFile(), p.Good); err != nil {
			return nil, err
		}
	}
	if !r.NoJournal {
		err = r.openJournal()
	}
	return r, err
}

func (r *Run) claim(flag, path string) (*output.Output, error) {
	if path == "" {
		return nil, nil
	}
	taken := map[string]string{r.Pair.Paths[0]: "OLD", r.Pair.Paths[1]: "NEW", r.Program(): "the test"}
	for other, what := range taken {
		if other == "" {
			continue
		}
		if output.SamePath(path, other) || r.Pair.Several() && output.Within(path, other) {
			return nil, fmt.Errorf("%s %s would overwrite %s; choose another path", flag, path, what)
		}
	}
	out, err := output.NewOutput(r.Pair.Input.Input, path, r.Program())
	if err != nil {
		return nil, err
	}
	out.Moved = r.WarnMoved
	r.Later(out.Release)
	return out, out.Claim()
}

// openJournal opens the journal next to the output or in the user's cache.
func (r *Run) openJournal() (err error) {
	path := r.Reduction.Journal
	if out := r.outputs[1]; path == "" && out != nil {
		path = out.Sidecar(".journal")
	} else if path == "" {
		if path, err = r.inCache(); err != nil {
			r.Warn(fmt.Sprintf("%v; continuing without it", err))
			return nil
		}
	}
	return r.OpenJournal(path)
}

// inCache returns a path in the cache for the command and the versions.
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

// newer returns the property that only the new version has.
func (r *Run) newer(p oracle.Property) oracle.Property {
	if r.InOld {
		return not(p)
	}
	return p
}

func (r *Run) Find(ctx context.Context) (isolate.Result, error) {
	facts, err := r.expect(ctx)
	if err != nil {
		return isolate.Result{}, err
	}
	o := isolate.Options{
		Changes: r.Pair.Changes, Jobs: r.Jobs, MaxTests: r.Search.MaxTests, Journal: facts,
		Started: sync.OnceValue(func() error {
			r.options.Started()
			return r.BeginJournal()
		}),
		Decided: func(d isolate.Decision) {
			r.options.Decided(d)
			r.record.Decided(whittle.Decision{
				Pass: r.options.Want, Tokens: d.Left, Bytes: d.Bytes, Answer: d.Answer, Accepted: d.Accepted, Tests: d.Tests,
			}, 0)
		},
	}
	if r.options.Want == Change {
		o.By = algorithmOf(r.options.Algorithm)
	}
	return r.find(ctx, o)
}

// An End describes the journal after a run.
type End struct {
	GoesOn  bool
	Journal error
}

// Finish writes the versions, and commits and diff to w; failed is Find's error. Some time after
// ctx ends it stops waiting for readers. Outcomes of a flaky test are not kept.
func (r *Run) Finish(ctx context.Context, w io.Writer, found isolate.Result, failed error) (End, error) {
	for i, file := range [][]byte{found.Good, found.Bad} {
		out := r.outputs[i]
		if out == nil {
			continue
		}
		if err := cmp.Or(out.Write(file), out.Finish(run.Late(ctx))); err != nil {
			return End{}, err
		}
	}
	if f := r.Chain.Flaky(); f != nil && failed == nil && found.Complete {
		r.Warn("the failing version " + diagnose.Held(f, r.failing(), true))
	}
	err := r.print(context.WithoutCancel(ctx), w, found)
	figures := r.base
	figures.Language = r.Pair.Input.ReadBy()
	figures.Result = whittle.Result{
		File: found.Bad, Tokens: found.Left, TokensAtAll: found.Changes, Tests: found.Tests, Replayed: found.Replayed,
		Cached: found.Cached, Cancelled: found.Cancelled, TestTime: found.TestTime, Complete: found.Complete,
	}
	err = cmp.Or(err, r.record.Finish(figures))
	goesOn := !found.Complete && r.Journal.Known() > 0 && !errors.As(failed, new(*isolate.FlakyError))
	closed := r.Journal.Close(r.KeepJournal || goesOn || err != nil)
	return End{goesOn && closed == nil, closed}, err
}

// print writes the commits, then the diff.
func (r *Run) print(ctx context.Context, w io.Writer, found isolate.Result) error {
	dir, remove, err := r.Scratch()
	if err != nil {
		return err
	}
	defer remove()
	diff, err := r.Pair.Diff(ctx, dir, cmp.Or(r.options.Good, r.Pair.Good), cmp.Or(r.Output, r.Pair.Bad), found)
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
