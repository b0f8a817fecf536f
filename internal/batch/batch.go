// Package batch reduces many cases in one process, with shared workers and a journal for each.
// Each result is the same as alone, byte for byte; only the duration of tests differs.
package batch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"whittle/grammars"
	"whittle/internal/journal"
	"whittle/internal/run"
	"whittle/oracle"
)

// Options configures a batch.
type Options struct {
	Run     run.Config // without output; Run.Test is the common command
	Output  string     // directory; "" means next to the inputs
	Memory  int64
	OneEach bool // only the smallest case of each failure

	// Say shows a message about a case, of one or more lines, from any goroutine.
	Say func(c *Case, text string)
}

// A Batch is a batch in progress.
type Batch struct {
	Options
	Runs    []*Run
	Workers *Workers
	host    *run.Host
	memory  *semaphore.Weighted

	mu    sync.Mutex
	left  int // cases that have not ended
	early Use // when lastCases were left
}

// New returns a batch that begins now.
func New(cases []*Case, o Options) *Batch {
	o.Memory = max(o.Memory, 1)
	b := &Batch{Options: o, Workers: NewWorkers(o.Run.Jobs), memory: semaphore.NewWeighted(o.Memory), left: len(cases)}
	for _, c := range cases {
		b.Runs = append(b.Runs, &Run{Case: c})
	}
	return b
}

// lastCases is how many cases may have too few questions for all workers.
const lastCases = 2

// Reduce reduces all cases. When ctx ends, each ends with its best result so far, and the error
// is the cause of ctx. Journals are removed after the last case, so that the same command resumes
// only unfinished ones.
func (b *Batch) Reduce(ctx context.Context) error {
	b.host = run.NewHost(b.Run.Jobs)
	defer b.host.Close()
	var group errgroup.Group
	group.SetLimit(b.Run.Jobs)
	for _, same := range b.byFailure(ctx) {
		b.open(&group, b.weigh(same[0].Case), func() { b.first(ctx, same) })
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return run.Cause(ctx, err)
	}
	return b.forget()
}

// byFailure returns groups of cases. Only the first of each must be reduced, or the next if that
// fails. The group with the largest first case, which takes longest, comes first.
func (b *Batch) byFailure(ctx context.Context) (groups [][]*Run) {
	byTitle := map[string]int{}
	if b.OneEach {
		b.recognise(ctx)
	}
	small := slices.Clone(b.Runs)
	slices.SortStableFunc(small, func(x, y *Run) int { return cmp.Compare(x.Size, y.Size) })
	for _, r := range small {
		title := r.State().Title
		if i, known := byTitle[title]; known && title != "" && b.OneEach {
			groups[i] = append(groups[i], r)
			continue
		}
		byTitle[title] = len(groups)
		groups = append(groups, []*Run{r})
	}
	slices.SortStableFunc(groups, func(x, y []*Run) int { return cmp.Compare(y[0].Size, x[0].Size) })
	return groups
}

func (b *Batch) first(ctx context.Context, same []*Run) {
	for i, r := range same {
		b.end(r, b.reduce(ctx, r))
		if p := r.State().Phase; p != Reduced && p != Stopped && ctx.Err() == nil {
			continue
		}
		for _, other := range same[i+1:] {
			other.change(func(s *State) {
				if s.Phase = Stopped; ctx.Err() == nil {
					s.Phase = Same
				}
			})
			b.gone(other)
		}
		return
	}
}

func (b *Batch) weigh(c *Case) int64 {
	l := grammars.ForFile(cmp.Or(b.Run.Name, c.Input))
	if b.Run.Language != nil {
		l = *b.Run.Language
	}
	return l.Memory(c.Size)
}

// open calls f in a group as soon as a case fits into the memory, and into the number of workers.
func (b *Batch) open(group *errgroup.Group, weight int64, f func()) {
	weight = min(weight, b.Memory) // one case always fits
	b.memory.Acquire(context.Background(), weight)
	group.Go(func() error {
		defer b.memory.Release(weight)
		f()
		return nil
	})
}

func (b *Batch) end(r *Run, err error) {
	r.change(func(s *State) {
		s.Ended = time.Now()
		switch {
		case errors.As(err, new(run.Interrupted)), err == nil && !s.Result.Complete:
			s.Phase = Stopped
		case err != nil:
			s.Phase, s.Err = Failed, err
		default:
			s.Phase = Reduced
		}
	})
	b.gone(r)
}

func (b *Batch) gone(r *Run) {
	b.mu.Lock()
	if b.left--; b.left <= lastCases && b.early.Time == 0 {
		b.early, _ = b.Workers.Use()
	}
	b.mu.Unlock()
	b.Say(r.Case, r.describe())
}

// Early returns the use of the workers until lastCases were left.
func (b *Batch) Early() Use {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.early
}

// Interrupted reports whether the same command would resume a case.
func (b *Batch) Interrupted() bool {
	return slices.ContainsFunc(b.Runs, func(r *Run) bool { return r.State().Result.GoesOn })
}

// unfinished reports whether the same command may resume a case, or reduce one that failed
// because of the environment.
func (b *Batch) unfinished() bool {
	return b.Interrupted() || slices.ContainsFunc(b.Runs, func(r *Run) bool {
		return errors.As(r.State().Err, new(*oracle.EnvironmentError))
	})
}

// forget removes the journals, unless the batch is unfinished.
func (b *Batch) forget() (err error) {
	if b.unfinished() {
		return nil
	}
	for _, r := range b.Runs {
		if s := r.State(); s.Phase == Reduced && s.Result.Journal != "" && !b.Run.KeepJournal {
			err = errors.Join(err, journal.Remove(s.Result.Journal))
		}
	}
	return err
}
