package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	dice "math/rand/v2"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"whittle/oracle"
)

const (
	silences = 5   // each with a new salt
	lacks    = 5   // missing files, though the cluster had all
	failures = 100 // while other tests got answers
)

type attempt struct {
	*question
	repeat    int   // earlier answers
	silent    int   // answers without the line of the script
	uploaded  int64 // bytes sent before the last upload
	lacking   int   // missing files, though the cluster had all
	failed    int
	since     time.Time    // of the failures
	operation string       // of a broken stream
	headers   *metadata.MD // of the last call
	salt      string
	keep      bool // in the cache
	fresh     bool // not from the cache
}

// season chooses the salt: empty for the first question, so that all users share the outcome, and new for repetitions.
func (c *Cluster) season(a *attempt) {
	a.keep, a.fresh = true, c.options.Cache != CacheShared
	switch {
	case a.spec.Afresh:
		a.salt, a.keep, a.fresh = rand.Text(), false, true
	case c.options.Cache == CacheOff:
		a.salt, a.keep = fmt.Sprintf("%s/%d/%d", c.session, a.repeat, a.silent), false
	case a.repeat > 0 || a.silent > 0:
		a.salt = fmt.Sprintf("%d/%d", a.repeat, a.silent)
	}
}

func (c *Cluster) answer(ctx context.Context, q *question) (oracle.Run, error) {
	key := digest{hash: q.root.hash + q.command.hash}
	a := &attempt{question: q, repeat: c.asked.add(key, 0)}
	c.season(a)
	for {
		run, err := c.try(ctx, a)
		if err == nil {
			c.asked.add(key, 1)
			c.health.answered()
			c.counters.actions.Add(1)
			if run.Cached {
				c.counters.cached.Add(1)
			}
			return run, nil
		}
		if ctx.Err() != nil {
			return oracle.Run{}, ctx.Err()
		}
		pause, err := c.again(a, err)
		if err != nil {
			return oracle.Run{}, err
		}
		if pause < 0 {
			return late(q), nil
		}
		c.counters.retries.Add(1)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return oracle.Run{}, ctx.Err()
		}
	}
}

// try asks once. The error is a *silence, the error of a call, or an [*oracle.EnvironmentError].
func (c *Cluster) try(ctx context.Context, a *attempt) (oracle.Run, error) {
	a.headers = c.wire.sent.Load()
	action := c.action(a.question, a.salt, a.keep)
	if a.operation == "" {
		if !a.fresh && c.hits.worth() {
			if result := c.lookup(ctx, action.digest, a.output); result != nil {
				return c.judge(ctx, a.question, result, true)
			}
		}
		var err error
		a.uploaded = c.counters.uploaded.Load()
		if err = c.upload(ctx, slices.Concat(c.base.blobs, a.blobs, []blob{action})); err != nil {
			return oracle.Run{}, err
		}
	}
	response, operation, err := c.execute(ctx, action.digest, a.operation, a.fresh, a.output)
	if a.operation = ""; err != nil {
		a.operation = operation
		return oracle.Run{}, err
	}
	// With an error the exit code is 0, too.
	if s := response.GetStatus(); codes.Code(s.GetCode()) == codes.DeadlineExceeded {
		return late(a.question), nil
	} else if err := status.FromProto(s).Err(); err != nil {
		return oracle.Run{}, err
	}
	if response.CachedResult {
		c.hits.hit()
	}
	return c.judge(ctx, a.question, response.Result, response.CachedResult)
}

// again interprets an error, and returns the pause before the next attempt, or the final error. A
// negative pause means that the test takes too long.
func (c *Cluster) again(a *attempt, err error) (time.Duration, error) {
	silent, isSilent := errors.AsType[*silence](err)
	resumed := a.operation != ""
	switch code := status.Code(err); {
	case errors.As(err, new(*oracle.EnvironmentError)):
		return 0, err
	case isSilent && silent.unfit: // other workers may be fit
		a.silent++
		c.season(a)
		return c.failed(a, err)
	case isSilent:
		if a.silent++; a.silent < silences {
			c.season(a)
			return c.pause(a.silent), nil
		} else if silent.late {
			return -1, nil
		}
		return 0, oracle.Errorf("a test gave no answer in %d attempts: %w", silences, err)
	case resumed && (code == codes.NotFound || code == codes.Unimplemented): // forgotten
		a.operation = ""
		return 0, nil
	case code == codes.FailedPrecondition, code == codes.NotFound:
		a.operation = ""
		c.forget(c.base.blobs)
		c.forget(a.blobs)
		c.forget([]blob{c.action(a.question, a.salt, a.keep)})
		if c.counters.uploaded.Load() > a.uploaded { // files may be lost again
			return c.failed(a, err)
		}
		if a.lacking++; a.lacking < lacks {
			return c.pause(a.lacking), nil
		}
	case code == codes.Unauthenticated && c.wire.renewed(a.headers):
		return 0, nil
	case code == codes.InvalidArgument, code == codes.Unauthenticated, code == codes.PermissionDenied,
		code == codes.Unimplemented, code == codes.OutOfRange:
	default:
		return c.failed(a, err)
	}
	return 0, oracle.Errorf("the cluster at %s refuses a test: %w%s", c.wire.target, plain(err), c.adviceFor(err))
}

// failed is again for a failure of the server.
func (c *Cluster) failed(a *attempt, err error) (time.Duration, error) {
	if a.failed++; a.failed == 1 {
		a.since = time.Now()
	}
	why := plain(err)
	if status.Code(err) == codes.ResourceExhausted {
		why = fmt.Errorf("%w%s", why, c.adviceFor(err))
	}
	c.health.failed(why)
	quiet := min(time.Since(a.since), c.health.quiet())
	switch {
	case quiet >= c.options.Lost:
		return 0, oracle.Errorf("the cluster at %s has given no answer for %s: %w; "+
			"what was found so far is kept, resume the run when it is back", c.wire.target, c.options.Lost, why)
	case a.failed >= failures:
		return 0, oracle.Errorf("the cluster at %s has failed at one test %d times, though it answers others: %w",
			c.wire.target, a.failed, why)
	}
	return c.pause(a.failed), nil
}

// pause doubles with each repetition, and is random to spread the tests.
func (c *Cluster) pause(n int) time.Duration {
	d := min(c.health.pace.longest, c.health.pace.shortest<<min(n-1, 10))
	return d/2 + dice.N(d)
}

type recent struct {
	mu       sync.Mutex
	most     int
	new, old map[digest]int
}

// newRecent remembers between most/2 and most digests.
func newRecent(most int) *recent { return &recent{most: most / 2, new: map[digest]int{}} }

// add adds n, which may be 0, to the number of d, and returns the sum.
func (r *recent) add(d digest, n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n += cmp.Or(r.new[d], r.old[d]); n > 0 {
		if len(r.new) >= r.most {
			r.old, r.new = r.new, make(map[digest]int, r.most)
		}
		r.new[d] = n
	}
	return n
}

func (r *recent) forget(d digest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.new, d)
	delete(r.old, d)
}
