package interrupt

import (
	"context"
	"sync"
	"time"
)

// overtime is how long after a signal or the end of its time whittle waits for a
// computation that does not listen: a grammar may take hours over a file.
const overtime = 5 * time.Second

// grace is how long after a second signal whittle waits for the tests that it is
// killing.
const grace = time.Second

// Wait returns what f returns, or ctx's error if ctx is done before; then f is left
// behind, for the program ends.
func Wait[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := f()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// A Deadline says when not to wait for a reduction any longer: some time after its
// own is over, but the test of the result, which comes then, may take as long as it
// takes.
type Deadline struct {
	time   time.Duration // 0 is none
	expire context.CancelFunc

	mu     sync.Mutex  // guards what follows
	timer  *time.Timer // nil while there is no end
	end    time.Time
	paused bool
}

// NewDeadline returns a deadline that is so long after Start, never if that is 0, and
// the context that is done some time after it, after ctx or, sooner, after hurry.
func NewDeadline(ctx, hurry context.Context, after time.Duration) (context.Context, *Deadline) {
	until, expire := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(overtime, expire) })
	context.AfterFunc(hurry, func() { time.AfterFunc(grace, expire) })
	return until, &Deadline{time: after, expire: expire}
}

// Start begins to measure.
func (d *Deadline) Start() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.time > 0 && d.timer == nil {
		d.end = time.Now().Add(d.time)
		d.timer = time.AfterFunc(d.time+overtime, d.expire)
	}
}

// Stop says that what follows has other limits.
func (d *Deadline) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
}

// End says that the time is over now.
func (d *Deadline) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	d.end = time.Now()
	d.timer = time.AfterFunc(overtime, d.expire)
	if d.paused {
		d.timer.Stop()
	}
}

// Pause stops the clock until resume is called. It reports whether the time is
// over.
func (d *Deadline) Pause() (over bool, resume func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused = true
	if d.timer != nil {
		d.timer.Stop()
		over = time.Now().After(d.end)
	}
	return over, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.paused = false; d.timer != nil {
			d.timer.Reset(max(0, time.Until(d.end)) + overtime)
		}
	}
}

// Half returns half of the time that is left; 0 if there is no limit.
func (d *Deadline) Half() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.time == 0 {
		return 0
	}
	return max(time.Until(d.end)/2, time.Millisecond)
}

// Close ends the context.
func (d *Deadline) Close() { d.expire() }
