package remote

import (
	"context"
	"fmt"
	"sync"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A pace has the time constants of fault handling.
type pace struct {
	shortest, longest time.Duration // pauses before a test is repeated
	worrying          time.Duration // without an answer while the cluster fails, before the message to the user
	silent            time.Duration // without a message or progress in the queue, before a question or a message
	reply             time.Duration // of the server to that, and to the first call
}

// usual is the pace except in tests.
var usual = pace{
	shortest: 100 * time.Millisecond, longest: 15 * time.Second, worrying: 15 * time.Second,
	silent: 45 * time.Second, reply: 20 * time.Second,
}

// health tracks whether the cluster answers.
type health struct {
	told func(text string)
	pace pace

	mu   sync.Mutex
	last time.Time // of the last answer to a test, or the start
	word time.Time // of the last message
	down bool      // the user was told that it fails
	open int       // number of streams
}

// begin assumes a cluster that answers.
func (h *health) begin(told func(string), p pace) {
	if told == nil {
		told = func(string) {}
	}
	h.pace, h.told, h.last, h.word = p, told, time.Now(), time.Now()
}

// stream registers a stream. The function ended unregisters it.
func (h *health) stream() (ended func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open++; h.open == 1 {
		h.word = time.Now()
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.open--
	}
}

// heard registers a message.
func (h *health) heard() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.word = time.Now()
}

// answered registers an answer to a test.
func (h *health) answered() {
	h.mu.Lock()
	h.word = time.Now()
	h.last = h.word
	back := h.down
	h.down = false
	h.mu.Unlock()
	if back {
		h.told("the cluster answers again")
	}
}

// failed registers a failure of the server.
func (h *health) failed(why error) {
	h.mu.Lock()
	quiet := time.Since(h.last)
	worse := !h.down && quiet > h.pace.worrying
	h.down = h.down || worse
	h.mu.Unlock()
	if worse {
		h.told(fmt.Sprintf("the cluster has given no answer for %s, and is asked again and again: %v",
			quiet.Round(time.Second), why))
	}
}

// quiet returns the time since the last answer to a test.
func (h *health) quiet() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Since(h.last)
}

// worries reports whether streams are open and no message has arrived for too long.
func (h *health) worries() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open > 0 && time.Since(h.word) > h.pace.silent
}

// pulse checks, until Close, whether a silent cluster is alive. A connection may be dead without
// either end noticing. Then pulse replaces the connections, and tests continue or are repeated.
func (c *Cluster) pulse() {
	tick := time.NewTicker(c.health.pace.silent / 3)
	defer tick.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-tick.C:
		}
		c.queue.tell(c.health.pace.silent, c.health.told)
		if !c.health.worries() {
			continue
		}
		ctx, cancel := context.WithTimeout(c.wire.context(c.ctx), c.health.pace.reply)
		_, err := repb.NewCapabilitiesClient(c.wire.calls()).GetCapabilities(ctx,
			&repb.GetCapabilitiesRequest{InstanceName: c.options.Instance})
		cancel()
		switch status.Code(err) {
		case codes.Unavailable, codes.DeadlineExceeded:
			c.wire.redial() // a failure shows at the next call
		default: // any other answer shows that it is alive, such as a full queue or an expired token
			c.health.heard()
		}
	}
}
