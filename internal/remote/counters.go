package remote

import "sync/atomic"

// A Tally has the statistics of a cluster.
type Tally struct {
	Actions    int // tests executed or found in the action cache
	Cached     int // tests found there
	Retries    int // repeated tests
	Cancelled  int
	Uploaded   int64 // bytes of files
	Downloaded int64
}

type counters struct {
	actions, cached, retries, cancelled, uploaded, downloaded atomic.Int64
}

// Tally returns the statistics so far.
func (c *Cluster) Tally() Tally {
	n := &c.counters
	return Tally{
		Actions: int(n.actions.Load()), Cached: int(n.cached.Load()), Retries: int(n.retries.Load()),
		Cancelled: int(n.cancelled.Load()), Uploaded: n.uploaded.Load(), Downloaded: n.downloaded.Load(),
	}
}
