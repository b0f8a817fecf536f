// Package batch reduces many cases at once: every one of a folder, in one process, with one
// journal each. They share what runs their tests. A case comes to what it comes to alone,
// byte for byte; only when its tests run depends on the others.
package batch

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"whittle/internal/chain"
	"whittle/internal/disk"
	"whittle/internal/interrupt"
	"whittle/internal/reduction"
	"whittle/internal/run"
	"whittle/oracle"
)

// Options says what to reduce, and how. All functions are needed.
type Options struct {
	Jobs    int   // tests at once
	Memory  int64 // that the open cases may need, in bytes; one is open in any case
	MaxTime time.Duration
	OneEach bool // of the cases with the same failure only the smallest is reduced
	Journal bool // those of cases that are done stay

	// Weigh returns how much memory a case needs, in bytes.
	Weigh func(*Case) int64
	// Open reads a case, and finds its test.
	Open func(context.Context, *Case, Shared) (*run.Run, error)
	// Reduction returns how a case is reduced. What it opens is put into run before that is
	// asked for anything.
	Reduction func(ctx context.Context, c *Case, s *run.Run, run **reduction.Run) (reduction.Options, error)
	// Say tells the user something about a case, in one line or several.
	Say func(c *Case, text string)
	// Ended is told of a case that has ended.
	Ended func(*Run)
}

// Shared is what the sessions of a batch have in common.
type Shared struct {
	Host *run.Host
	Turn chain.Turn
	Warn func(text string)
}

// A Batch is many cases on their way.
type Batch struct {
	Options
	Runs    []*Run // in the order of the cases
	Workers *Workers
	host    *run.Host

	mu     sync.Mutex
	cond   *sync.Cond
	open   int   // cases
	weight int64 // of these
	left   int   // cases that have not ended
	early  Use   // of the workers, when no more than two were left
}

// New returns a batch that begins now.
func New(cases []*Case, o Options) *Batch {
	b := &Batch{Options: o, Workers: NewWorkers(o.Jobs), left: len(cases)}
	b.cond = sync.NewCond(&b.mu)
	for _, c := range cases {
		b.Runs = append(b.Runs, &Run{Case: c})
	}
	return b
}

// last is how many cases are the last ones: for these there may be too few questions.
const last = 2

// Reduce reduces all cases. Once ctx is done each ends with the best so far. The error is
// ctx's cause. Journals of cases that are done are removed when all have ended, so that the
// same command goes on with the others only.
func (b *Batch) Reduce(ctx context.Context) error {
	b.host = run.NewHost(b.Jobs)
	defer b.host.Close()
	var group sync.WaitGroup
	for _, alike := range b.alike(ctx) {
		weight := b.Weigh(alike[0].Case)
		b.admit(weight)
		group.Go(func() {
			defer b.leave(weight)
			b.first(ctx, alike)
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return interrupt.Cause(ctx, err)
	}
	return b.forget()
}

// alike returns the cases, the largest first as they take longest, in rows of which one is to
// be reduced: the first, or if that fails the next.
func (b *Batch) alike(ctx context.Context) (rows [][]*Run) {
	byFailure := map[string]int{}
	if b.OneEach {
		b.recognise(ctx)
	}
	small := slices.Clone(b.Runs)
	slices.SortStableFunc(small, func(x, y *Run) int { return cmp.Compare(x.Size, y.Size) })
	for _, r := range small {
		title := r.State().Title
		if i, known := byFailure[title]; known && title != "" && b.OneEach {
			rows[i] = append(rows[i], r)
			continue
		}
		byFailure[title] = len(rows)
		rows = append(rows, []*Run{r})
	}
	slices.SortStableFunc(rows, func(x, y []*Run) int { return cmp.Compare(y[0].Size, x[0].Size) })
	return rows
}

// first reduces the first case of a row that can be.
func (b *Batch) first(ctx context.Context, row []*Run) {
	for i, r := range row {
		b.end(r, b.reduce(ctx, r))
		if p := r.State().Phase; p != Reduced && p != Stopped && ctx.Err() == nil {
			continue
		}
		for _, other := range row[i+1:] {
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

// admit waits until a case may be opened: there is no use in more than there are workers.
func (b *Batch) admit(weight int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.open >= b.Jobs || b.open > 0 && b.weight+weight > b.Memory {
		b.cond.Wait()
	}
	b.open++
	b.weight += weight
}

func (b *Batch) leave(weight int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	b.weight -= weight
	b.cond.Broadcast()
}

// end takes note of the end of a case.
func (b *Batch) end(r *Run, err error) {
	r.change(func(s *State) {
		s.Ended = time.Now()
		switch {
		case errors.As(err, new(interrupt.Error)), err == nil && !s.Result.Complete:
			s.Phase = Stopped
		case err != nil:
			s.Phase, s.Err = Failed, err
		default:
			s.Phase = Reduced
		}
	})
	b.gone(r)
}

// gone counts a case that has ended.
func (b *Batch) gone(r *Run) {
	b.mu.Lock()
	if b.left--; b.left <= last && b.early.Time == 0 {
		b.early, _ = b.Workers.Use()
	}
	b.mu.Unlock()
	b.Ended(r)
}

// Early returns what had become of the workers' time when no more than two cases were left.
func (b *Batch) Early() Use {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.early
}

// Interrupted reports whether a case was stopped that the same command would go on with.
func (b *Batch) Interrupted() bool {
	return slices.ContainsFunc(b.Runs, func(r *Run) bool { return r.State().Result.GoesOn })
}

// unfinished reports whether the same command would go on with a case, or may do so once the
// environment is what it should be.
func (b *Batch) unfinished() bool {
	return b.Interrupted() || slices.ContainsFunc(b.Runs, func(r *Run) bool {
		return errors.As(r.State().Err, new(*oracle.EnvironmentError))
	})
}

// forget removes the journals of the cases that are done, unless there are others to go on
// with.
func (b *Batch) forget() (err error) {
	if b.unfinished() {
		return nil
	}
	for _, r := range b.Runs {
		if s := r.State(); s.Phase == Reduced && s.Result.Journal != "" && !b.Journal {
			err = errors.Join(err, remove(s.Result.Journal))
		}
	}
	return err
}

// remove removes a journal, if no other whittle works with it.
func remove(path string) error {
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	lock, err := disk.Lock(path)
	if err != nil {
		return nil
	}
	defer lock.Close()
	return os.Remove(path)
}
