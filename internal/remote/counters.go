package remote

import "sync/atomic"

// A Tally is what a cluster has done so far.
type Tally struct {
	Actions    int   // tests that were executed, or found in the action cache
	Cached     int   // of these, found there
	Retries    int   // times that a test was asked again, as there was no answer
	Cancelled  int   // tests that the cluster was told to stop
	Uploaded   int64 // bytes of files
	Downloaded int64
}

// counters count what a Tally has.
type counters struct {
	actions, cached, retries, cancelled, uploaded, downloaded atomic.Int64
}

// Tally returns what the cluster has done so far.
func (c *Cluster) Tally() Tally {
	n := &c.counters
	return Tally{
		Actions: int(n.actions.Load()), Cached: int(n.cached.Load()), Retries: int(n.retries.Load()),
		Cancelled: int(n.cancelled.Load()), Uploaded: n.uploaded.Load(), Downloaded: n.downloaded.Load(),
	}
}
