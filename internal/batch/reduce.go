package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/run"
	"whittle/oracle"
)

func (b *Batch) read(ctx context.Context, r *Run, turn chain.Turn) (*run.Run, error) {
	c := b.Run
	c.Host, c.Turn = b.host, turn
	c.Warn = func(text string) { b.Say(r.Case, text) }
	if r.Test != "" {
		c.Test = run.Test{Argv: []string{r.Test}}
	}
	c.KeepJournal = true // until all cases have ended
	opened := run.New(ctx, c)
	err := opened.Read([]string{r.Input})
	if err == nil {
		opened.Output, err = b.outputPath(r, opened)
	}
	if err != nil {
		opened.Close()
	}
	return opened, err
}

// outputPath returns the path of a result, and makes its directory.
func (b *Batch) outputPath(r *Run, opened *run.Run) (string, error) {
	base := filepath.Base(opened.Input.ResultPath())
	if opened.Input.Set != nil { // the case includes other files
		base = strings.TrimSuffix(filepath.Base(r.Input), filepath.Ext(r.Input)) + ".reduced"
	}
	if b.Output == "" {
		return filepath.Join(filepath.Dir(r.Input), base), nil
	}
	path := filepath.Join(b.Output, base)
	if filepath.Base(r.Input) != r.Place { // the case has its own folder
		path = filepath.Join(b.Output, r.Place, base)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", oracle.Errorf("cannot make the directory of --output: %w", err)
	}
	return path, nil
}

// recognise finds the failures. Reductions will report its errors.
func (b *Batch) recognise(ctx context.Context) {
	share := b.Workers.Join(func(int) {})
	defer share.Leave()
	var group errgroup.Group
	group.SetLimit(b.Run.Jobs)
	for _, r := range b.Runs {
		if r.Err != nil || r.Test != "" {
			continue
		}
		b.open(&group, b.weigh(r.Case), func() {
			share.Whole(ctx, func(ctx context.Context) error {
				opened, err := b.read(ctx, r, share.Turn)
				if err != nil {
					return err
				}
				defer opened.Close()
				if err = opened.Start(ctx); err == nil {
					err = opened.Prepare(ctx, opened.Preprocess)
				}
				r.change(func(to *State) { to.Title = opened.Failure.Title })
				return err
			})
		})
	}
	group.Wait()
}

func (b *Batch) reduce(ctx context.Context, r *Run) error {
	if err := ctx.Err(); err != nil || r.Err != nil {
		return errors.Join(run.Cause(ctx, err), r.Err)
	}
	var control whittle.Control
	share := b.Workers.Join(control.SetJobs)
	defer share.Leave()
	r.share.Store(share)
	r.change(func(s *State) { s.Phase, s.Began = Opening, time.Now() })
	limited, release := run.Limit(ctx, b.Run.MaxTime)
	defer release() // ends goroutines that were left behind, too
	opened, err := b.read(limited, r, share.Turn)
	if err != nil {
		return err
	}
	defer opened.Close()
	opened.Search.Control, opened.Observe = &control, r.observe
	o := oneCase{Batch: b, Run: r, share: share, run: opened}
	err = run.Do(limited, func() error { return o.open(limited) })
	if err == nil {
		err = o.reduce(ctx, limited)
	}
	if errors.Is(err, whittle.ErrNoTime) || errors.Is(err, context.DeadlineExceeded) && run.TimeOver(limited) {
		return fmt.Errorf("--max-time %v was over before it was tested as it is; give it more", b.Run.MaxTime)
	}
	return run.Cause(limited, err)
}

type oneCase struct {
	*Batch
	*Run
	share *Share
	run   *run.Run
}

func (o *oneCase) open(ctx context.Context) error {
	return o.share.Whole(ctx, func(ctx context.Context) error {
		err := o.run.Open(ctx)
		if run.EndsWell(err) {
			return o.endsWell()
		}
		if err != nil {
			return o.run.ExplainUnknown(ctx, err)
		}
		o.change(func(s *State) { s.Title = o.run.Failure.Title })
		return nil
	})
}

// reduce reduces until limited ends, and writes the result. Signals end ctx, too.
func (o *oneCase) reduce(ctx, limited context.Context) error {
	result, err := o.run.Reduce(limited)
	if why := o.run.Explain(err); why != nil {
		if errors.As(err, new(*diagnose.SenselessError)) && o.run.Test.Inline && o.run.Spec.Interesting.IsZero() {
			return o.endsWell()
		}
		return o.explain(ctx, why)
	}
	end, err := o.run.Finish(ctx, result, err)
	if end.Written {
		o.keep(result, end)
		if sure, _ := o.run.Sure(); sure != "" {
			o.Say(o.Case, o.run.Out.String()+" "+sure)
		}
	}
	if end.Journal != nil {
		o.Say(o.Case, end.Journal.Error())
	}
	if err == nil && o.run.Deleted(result) {
		return o.explain(ctx, func(ctx context.Context) error { return o.run.Diagnosis().Nothing(ctx, o.run.Out.Path) })
	}
	return err
}

func (o *oneCase) endsWell() error {
	return fmt.Errorf("%s does not fail with it: it exits with 0, as with other files", o.run.Test)
}

func (o *oneCase) explain(ctx context.Context, find func(context.Context) error) error {
	return run.Do(ctx, func() error { return o.share.Whole(ctx, find) })
}

func (o *oneCase) keep(result whittle.Result, end run.End) {
	kept := Result{
		Path: o.run.Out.Path, Tokens: result.Tokens, Journal: o.run.Journal.Path,
		Complete: result.Complete, GoesOn: end.GoesOn,
	}
	_, kept.Bytes = o.run.Input.Measure(result.File)
	kept.exact, kept.shape = identify(result.File, o.run.Input.Language)
	o.change(func(s *State) {
		s.Tokens, s.AtAll = result.Tokens, result.TokensAtAll
		s.Tests, s.Replayed, s.Vain = result.Tests, result.Replayed, result.Cancelled
		s.Result = kept
	})
}
