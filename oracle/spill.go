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

// Here is the room for tests on this machine beside those far away.
type Here struct {
	rooms Rooms
	spare int // rooms to open when what is far is gone
	stays bool
	gone  atomic.Bool
}

// NewHere returns room for so many tests at once, which may be none; and for after, if that is
// not 0, once what is far is gone.
func NewHere(jobs, after int) *Here {
	h := &Here{rooms: make(Rooms, max(jobs, after)), spare: max(jobs, after) - jobs, stays: after > 0}
	h.rooms.more(jobs)
	return h
}

// A Spill runs a test on this machine if there is room, and else far away.
type Spill struct {
	near, far Executor
	here      *Here
	told      func(error)
}

// NewSpill returns a Spill that has the room for tests near, with others. If there will be some
// when what is far is gone, it goes on with that, and none far; then told is told why, once of
// all that share it.
func NewSpill(near, far Executor, here *Here, told func(error)) *Spill {
	return &Spill{near, far, here, told}
}

// Run is that of an [Executor].
func (s *Spill) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	for !s.here.gone.Load() {
		select {
		case <-s.here.rooms:
			defer s.here.rooms.more(1)
			return s.near.Run(ctx, spec, candidate)
		default:
		}
		run, err := s.far.Run(ctx, spec, candidate)
		failed := (*EnvironmentError)(nil)
		if !errors.As(err, &failed) || !s.here.stays {
			return run, err
		}
		if s.here.gone.CompareAndSwap(false, true) {
			s.here.rooms.more(s.here.spare)
			s.told(err)
		}
	}
	return (&Limited{s.near, s.here.rooms}).Run(ctx, spec, candidate)
}
