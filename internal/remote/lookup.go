package remote

import (
	"context"
	"sync/atomic"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
)

// After tries failed lookups in a row, only every tries-th question is looked up. The server
// looks in the cache, too, but after the upload.
const tries = 16

type lookups struct{ asked, missed atomic.Int64 }

func (l *lookups) worth() bool { return l.asked.Add(1)%tries == 0 || l.missed.Load() < tries }

func (l *lookups) hit()  { l.missed.Store(0) }
func (l *lookups) miss() { l.missed.Add(1) }

// lookup returns nil for a result that is not in the cache.
func (c *Cluster) lookup(ctx context.Context, action digest, output bool) *repb.ActionResult {
	limited, cancel := context.WithTimeout(c.wire.context(ctx), callLimit)
	defer cancel()
	request := &repb.GetActionResultRequest{
		InstanceName: c.options.Instance, ActionDigest: action.Proto(), DigestFunction: c.hash.value, InlineStdout: true,
	}
	if output {
		request.InlineOutputFiles = []string{outputName}
	}
	result, err := repb.NewActionCacheClient(c.wire.calls()).GetActionResult(limited, request)
	if err != nil {
		c.hits.miss()
		return nil
	}
	c.health.heard()
	c.hits.hit()
	return result
}
