package remote

import (
	"fmt"
	"sync"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"whittle/oracle"
)

type pace struct {
	shortest, longest time.Duration // pauses between repetitions
	worrying          time.Duration // failure before the message to the user
	silent            time.Duration // before a check or message: silence, or a queue without progress
	reply             time.Duration // for the answer to a check or the first call
}

var usual = pace{
	shortest: 100 * time.Millisecond, longest: 15 * time.Second, worrying: 15 * time.Second,
	silent: 45 * time.Second, reply: 20 * time.Second,
}

type health struct {
	told func(text string)
	pace pace

	mu   sync.Mutex
	last time.Time // last answer to a test, or start
	word time.Time // last message
	down bool      // reported to the user
	open int       // streams
}

func (h *health) begin(told func(string), p pace) {
	if told == nil {
		told = func(string) {}
	}
	h.pace, h.told, h.last, h.word = p, told, time.Now(), time.Now()
}

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

func (h *health) heard() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.word = time.Now()
}

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

func (h *health) quiet() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Since(h.last)
}

func (h *health) worries() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open > 0 && time.Since(h.word) > h.pace.silent
}

// pulse checks, until Close, whether a silent cluster is alive, since a connection may be dead without notice. If it is
// not, pulse replaces the connections, and tests continue or repeat.
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
		_, err := c.capabilities(c.ctx)
		switch status.Code(err) {
		case codes.Unavailable, codes.DeadlineExceeded:
			c.wire.redial() // the next call shows a failure
		default: // alive, with a full queue or an expired token
			c.health.heard()
		}
	}
}

// A queue counts waiting and running tests, as reported by the cluster.
type queue struct {
	mu     sync.Mutex
	stages map[repb.ExecutionStage_Value]int // tests
	moved  time.Time                         // last progress
	told   bool                              // reported to the user
}

// becomes moves a test between stages; UNKNOWN is no stage.
func (q *queue) becomes(from, to repb.ExecutionStage_Value) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stages == nil {
		q.stages = map[repb.ExecutionStage_Value]int{}
	}
	goes := from != to && (to == repb.ExecutionStage_EXECUTING || to == repb.ExecutionStage_COMPLETED)
	if goes || q.still() == 0 {
		q.moved, q.told = time.Now(), false
	}
	q.stages[from]--
	q.stages[to]++
}

// still requires mu.
func (q *queue) still() time.Duration {
	if q.stages[repb.ExecutionStage_QUEUED] <= 0 || q.stages[repb.ExecutionStage_EXECUTING] > 0 {
		return 0
	}
	return time.Since(q.moved)
}

// stands returns how long tests have waited without progress.
func (q *queue) stands() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.still()
}

func (q *queue) tell(after time.Duration, told func(string)) {
	q.mu.Lock()
	still := q.still()
	worse := still > after && !q.told
	q.told = q.told || worse
	q.mu.Unlock()
	if worse {
		told(fmt.Sprintf("no worker of the cluster has taken a test for %s: all are busy, or none has the platform "+
			"properties that are asked for", still.Round(time.Second)))
	}
}

func (c *Cluster) standstill() error {
	return oracle.Errorf("no worker of the cluster at %s has taken a test for %s; look at the platform properties, "+
		"or give it more time; what was found so far is kept, resume the run when there are workers",
		c.wire.target, c.options.Lost)
}
