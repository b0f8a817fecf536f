package search

import (
	"context"
	"math"
	"sync/atomic"
)

// urgency is the current probability that the outcome of a test is used.
type urgency struct{ bits atomic.Uint64 }

func (u *urgency) set(chance float64) { u.bits.Store(math.Float64bits(chance)) }
func (u *urgency) get() float64       { return math.Float64frombits(u.bits.Load()) }

type urgencyKey struct{}

// sure is the probability of later questions that are certain.
const sure = 0.99

// Chance returns the current probability that the outcome of a test is used, from the context
// of its [oracle.Property]. It is 1 if the search waits for the test, or for a context without
// a search. If several searches share workers, it decides which test runs first. It may be
// called at any time from any goroutine.
func Chance(ctx context.Context) float64 {
	if u, ok := ctx.Value(urgencyKey{}).(*urgency); ok {
		return u.get()
	}
	return 1
}

// WithChance returns a context with a fixed Chance.
func WithChance(ctx context.Context, chance float64) context.Context {
	u := &urgency{}
	u.set(chance)
	return context.WithValue(ctx, urgencyKey{}, u)
}

type clockKey struct{}

// WithClock returns a context for simulations: searches use waiting instead of the real clock.
// A search calls it when it has to wait for a test, with the number of running tests. It
// returns the number of tests that end now, at least 1. The search knows all of their outcomes
// before it starts more tests.
func WithClock(ctx context.Context, waiting func(running int) (ending int)) context.Context {
	return context.WithValue(ctx, clockKey{}, waiting)
}
