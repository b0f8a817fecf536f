package search

import (
	"context"
	"math"
	"sync/atomic"
)

// urgency is the chance that the outcome of a test is used, as it is known now.
type urgency struct{ bits atomic.Uint64 }

func (u *urgency) set(chance float64) { u.bits.Store(math.Float64bits(chance)) }
func (u *urgency) get() float64       { return math.Float64frombits(u.bits.Load()) }

type urgencyKey struct{}

// sure is the chance of what is asked in any case, but not now.
const sure = 0.99

// Chance returns how likely the outcome of a test is to be used, as its search knows it now,
// from the context that the [oracle.Property] was called with: 1 if the search waits for it, or if
// no search has asked. Where several searches share what runs their tests, it says whose
// turn it is. It may be called at any time, from any goroutine.
func Chance(ctx context.Context) float64 {
	if u, ok := ctx.Value(urgencyKey{}).(*urgency); ok {
		return u.get()
	}
	return 1
}

// WithChance returns a context in which Chance is that.
func WithChance(ctx context.Context, chance float64) context.Context {
	u := &urgency{}
	u.set(chance)
	return context.WithValue(ctx, urgencyKey{}, u)
}

type clockKey struct{}

// WithClock returns a context for simulations: searches use waiting instead of the real clock.
// A search calls it when it has nothing to do until a test ends, with the number of tests that
// were started and have not ended. It returns the number of tests that end now, at least 1.
// The search knows all of their outcomes before it starts more tests.
func WithClock(ctx context.Context, waiting func(running int) (ending int)) context.Context {
	return context.WithValue(ctx, clockKey{}, waiting)
}
