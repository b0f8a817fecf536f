package oracle

import (
	"context"
	"errors"
	"sync/atomic"
)

// Rooms is how many tests run at once on a machine.
type Rooms chan struct{}

// NewRooms returns so many rooms.
func NewRooms(n int) Rooms {
	r := make(Rooms, n)
	r.more(n)
	return r
}

// more makes rooms free.
func (r Rooms) more(n int) {
	for range n {
		r <- struct{}{}
	}
}

// A Limited waits until there is room. Several may share their Rooms.
type Limited struct {
	Executor Executor
	Rooms    Rooms
}

// Run is that of an [Executor].
func (l *Limited) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	select {
	case <-l.Rooms:
		defer l.Rooms.more(1)
		return l.Executor.Run(ctx, spec, candidate)
	case <-ctx.Done():
		return Run{}, ctx.Err()
	}
}

// A Spill runs a test on this machine if there is room, and else far away.
type Spill struct {
	near, far Executor
	rooms     Rooms
	spare     int // rooms to open when far is gone; 0 is to stop then
	told      func(error)
	gone      atomic.Bool
}

// NewSpill returns a Spill that runs so many tests at once near, which may be none. If after
// is not 0, it goes on with so many near, and none far, once far has failed; then told is
// told why.
func NewSpill(near, far Executor, jobs, after int, told func(error)) *Spill {
	s := &Spill{near: near, far: far, rooms: make(Rooms, max(jobs, after)), told: told}
	if s.rooms.more(jobs); after > 0 {
		s.spare = max(jobs, after) - jobs
	} else {
		s.told = nil
	}
	return s
}

// Run is that of an [Executor].
func (s *Spill) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	for !s.gone.Load() {
		select {
		case <-s.rooms:
			defer s.rooms.more(1)
			return s.near.Run(ctx, spec, candidate)
		default:
		}
		run, err := s.far.Run(ctx, spec, candidate)
		failed := (*EnvironmentError)(nil)
		if !errors.As(err, &failed) || s.told == nil {
			return run, err
		}
		if s.gone.CompareAndSwap(false, true) {
			s.rooms.more(s.spare)
			s.told(err)
		}
	}
	return (&Limited{s.near, s.rooms}).Run(ctx, spec, candidate)
}
