package search

import (
	"context"
	"math"
	"sync/atomic"
)

// urgency is the current probability of a test's use.
type urgency struct{ bits atomic.Uint64 }

func (u *urgency) set(chance float64) { u.bits.Store(math.Float64bits(chance)) }
func (u *urgency) get() float64       { return math.Float64frombits(u.bits.Load()) }

type urgencyKey struct{}

// sure is the probability of certain later questions.
const sure = 0.99

// Chance returns the current probability that a test's outcome is used, from the context of its
// [oracle.Property]; 1 without a search. It orders tests of searches that share workers.
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

// WithClock returns a context for simulations. Searches that wait call waiting with the number of
// running tests, which returns how many end now, at least 1.
func WithClock(ctx context.Context, waiting func(running int) (ending int)) context.Context {
	return context.WithValue(ctx, clockKey{}, waiting)
}
