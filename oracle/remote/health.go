package remote

import (
	"context"
	"fmt"
	"sync"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
)

// Of a cluster that says nothing.
const (
	worrying = 15 * time.Second // without an answer, while it fails: the user is told
	silent   = 45 * time.Second // without a word: it is asked whether it is there
)

// health is what is known of whether the cluster answers.
type health struct {
	told func(text string)

	mu    sync.Mutex
	last  time.Time // of an answer to a test, or the begin
	word  time.Time // of any message
	down  bool      // the user was told that it fails
	alive context.Context
	cut   context.CancelFunc // ends all streams
	open  int                // streams
}

// begin begins with a cluster that answers.
func (h *health) begin(ctx context.Context, told func(string)) {
	if told == nil {
		told = func(string) {}
	}
	h.told, h.last, h.word = told, time.Now(), time.Now()
	h.alive, h.cut = context.WithCancel(ctx)
}

// stream returns the context of a stream, which ends when the cluster gives no sign of life,
// and what is to be called at its end.
func (h *health) stream() (context.Context, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open++; h.open == 1 {
		h.word = time.Now()
	}
	ctx, cancel := context.WithCancel(h.alive)
	return ctx, sync.OnceFunc(func() {
		cancel()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.open--
	})
}

// heard takes note of a message.
func (h *health) heard() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.word = time.Now()
}

// answered takes note of an answer to a test.
func (h *health) answered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.word = time.Now()
	h.last = h.word
	if h.down {
		h.down = false
		h.told("the cluster answers again")
	}
}

// failed takes note of a failure of the server.
func (h *health) failed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.down && time.Since(h.last) > worrying {
		h.down = true
		h.told(fmt.Sprintf("the cluster has given no answer for %s, and is asked again and again: %v",
			time.Since(h.last).Round(time.Second), plain(err)))
	}
}

// quiet returns how long there was no answer to any test.
func (h *health) quiet() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Since(h.last)
}

// worries reports whether there was no message for too long, though one is waited for.
func (h *health) worries() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open > 0 && time.Since(h.word) > silent
}

// giveUp ends all streams: tests are asked again, or go on where they were.
func (h *health) giveUp(parent context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut()
	h.alive, h.cut = context.WithCancel(parent)
}

// pulse asks a cluster that says nothing whether it is there, until the end. A connection
// may be dead without either end knowing.
func (c *Cluster) pulse() {
	tick := time.NewTicker(silent / 3)
	defer tick.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-tick.C:
		}
		if !c.health.worries() {
			continue
		}
		ctx, cancel := context.WithTimeout(c.wire.context(c.ctx), firstLimit)
		_, err := repb.NewCapabilitiesClient(c.wire.calls).GetCapabilities(ctx,
			&repb.GetCapabilitiesRequest{InstanceName: c.options.Instance})
		cancel()
		if err == nil {
			c.health.heard()
		} else {
			c.health.giveUp(c.ctx)
		}
	}
}
