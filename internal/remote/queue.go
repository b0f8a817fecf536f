package remote

import (
	"fmt"
	"sync"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/oracle"
)

// A queue counts waiting and running tests, as reported by the cluster.
type queue struct {
	mu     sync.Mutex
	stages map[repb.ExecutionStage_Value]int // tests
	moved  time.Time                         // when a test last ran or ended, or no test waited
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

// still requires mu; see stands.
func (q *queue) still() time.Duration {
	if q.stages[repb.ExecutionStage_QUEUED] <= 0 || q.stages[repb.ExecutionStage_EXECUTING] > 0 {
		return 0
	}
	return time.Since(q.moved)
}

// stands returns the time that tests have waited without progress.
func (q *queue) stands() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.still()
}

// tell reports once that no worker takes tests.
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
