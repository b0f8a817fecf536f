package chain

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"whittle/oracle"
)

func limit(e oracle.Executor, n int) oracle.Executor {
	return &limited{e, semaphore.NewWeighted(int64(n))}
}

type limited struct {
	executor oracle.Executor
	slots    *semaphore.Weighted
}

func (l *limited) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	if err := l.slots.Acquire(ctx, 1); err != nil {
		return oracle.Run{}, err
	}
	defer l.slots.Release(1)
	return l.executor.Run(ctx, spec, candidate)
}

// Slots bound the tests on this machine while a cluster runs tests, too. Chains may share them.
type Slots struct {
	free  *semaphore.Weighted
	spare int64 // for the loss of the cluster
	stays bool  // tests survive that loss
	lost  atomic.Bool
}

// NewSlots returns jobs slots. If after is not 0 and the cluster is lost, tests continue here,
// with at least after slots.
func NewSlots(jobs, after int) *Slots {
	all := int64(max(jobs, after))
	s := &Slots{free: semaphore.NewWeighted(all), spare: all - int64(jobs), stays: after > 0}
	s.free.TryAcquire(s.spare)
	return s
}

// An Overflow runs tests on a cluster if no slot is free here.
type Overflow struct {
	Cluster oracle.Executor
	Slots   *Slots
	// Lost is called once, with the reason, when tests continue on this machine alone.
	Lost func(error)
}

func (o *Overflow) around(here oracle.Executor) oracle.Executor {
	if o == nil {
		return here
	}
	return &overflow{*o, here}
}

type overflow struct {
	Overflow
	here oracle.Executor
}

func (o *overflow) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	for !o.Slots.lost.Load() {
		if o.Slots.free.TryAcquire(1) {
			defer o.Slots.free.Release(1)
			return o.here.Run(ctx, spec, candidate)
		}
		run, err := o.Cluster.Run(ctx, spec, candidate)
		failed := (*oracle.EnvironmentError)(nil)
		if !errors.As(err, &failed) || !o.Slots.stays {
			return run, err
		}
		if o.Slots.lost.CompareAndSwap(false, true) {
			o.Slots.free.Release(o.Slots.spare)
			o.Lost(err)
		}
	}
	return (&limited{o.here, o.Slots.free}).Run(ctx, spec, candidate)
}
