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

// A pace is how long things take that go wrong.
type pace struct {
	shortest, longest time.Duration // pauses before a test is asked again
	worrying          time.Duration // without an answer, while the cluster fails: the user is told
	silent            time.Duration // without a word, or in its queue: it is asked, or the user told
	reply             time.Duration // that this may take, and the first call of all
}

// usual is the pace but for our own tests.
var usual = pace{
	shortest: 100 * time.Millisecond, longest: 15 * time.Second, worrying: 15 * time.Second,
	silent: 45 * time.Second, reply: 20 * time.Second,
}

// health is what is known of whether the cluster answers.
type health struct {
	told func(text string)
	pace pace

	mu   sync.Mutex
	last time.Time // of an answer to a test, or the begin
	word time.Time // of any message
	down bool      // the user was told that it fails
	open int       // streams
}

// begin begins with a cluster that answers.
func (h *health) begin(told func(string), p pace) {
	if told == nil {
		told = func(string) {}
	}
	h.pace, h.told, h.last, h.word = p, told, time.Now(), time.Now()
}

// stream takes note of a stream, and returns what is to be called at its end.
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

// heard takes note of a message.
func (h *health) heard() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.word = time.Now()
}

// answered takes note of an answer to a test.
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

// failed takes note of a failure of the server.
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
	return h.open > 0 && time.Since(h.word) > h.pace.silent
}

// pulse asks a cluster that says nothing whether it is there, until the end. A connection
// may be dead without either end knowing; then there are others, and tests go on where they
// were, or are asked again.
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
			c.wire.redial() // who cannot connect fails at the next call
		default: // that it has no room for the call, or wants another token, is a word, too
			c.health.heard()
		}
	}
}
