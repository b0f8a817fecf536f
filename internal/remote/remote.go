// Package remote runs tests on a cluster that speaks Bazel's Remote Execution API, version 2: Buildbarn, BuildBuddy,
// Buildfarm, NativeLink, BuildGrid and others.
//
// A test is an action: a command, and a tree of files named by their hashes. Only files that the cluster lacks are
// sent. The outcome may come from the action cache, which users share. It is one line of the script whittle.sh, which
// runs the test; a test without the line runs again. Exit codes are not trusted: broken sandboxes and killed workers
// have some, too, and the cache may keep them.
//
// The environment of a test is Options.Env with a default PATH. WHITTLE_TEST_DIR has Options.Inputs. The limits are
// those of file size and time; the cluster limits memory and processor time. The time limit is part of the cache key,
// so it is rounded up to 1, 2, 5, 10, … seconds. Death by SIGINT or SIGPIPE is exit code 130 or 141.
package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/oracle"
)

// Options configure a cluster. Target is required.
type Options struct {
	Target   string            // grpc://host:port, grpcs://host:port (default) or unix:path
	Instance string            // "" means the only one
	Platform map[string]string // required properties of a worker
	Env      []string          // NAME=VALUE
	Inputs   []Input           // files of the test
	Cache    Cache
	Check    string // a shell command that must succeed on a worker before each test
	TLS      TLS
	Jobs     int // tests at once; 0 means 64

	// Headers, if not nil, returns secrets for each call: at the start, and again if the cluster
	// refuses them.
	Headers func() ([]Header, error)
	// Lost is the time without an answer before an [*oracle.EnvironmentError]; 0 is ten minutes.
	Lost time.Duration
	// Told, if not nil, is called from any goroutine when the cluster stops or resumes answering.
	Told func(text string)
}

// A Header is sent with each call.
type Header struct{ Name, Value string }

// TLS has paths of PEM files.
type TLS struct {
	CA        string // authorities; the default is the system's
	Cert, Key string // of the client; optional
}

// Cache says how the action cache is used.
type Cache int

// Spec.Afresh runs a test again in any case.
const (
	CacheShared  Cache = iota // read and write
	CacheRefresh              // write only
	CacheOff                  // neither
)

const (
	usualJobs = 64
	usualLost = 10 * time.Minute
)

// A Cluster is an [oracle.Executor], safe for concurrent use.
type Cluster struct {
	options    Options
	hash       digestFunction
	base       *base
	verdicts   map[digest]verdict // by line of the script
	platform   *repb.Platform
	oldOutputs bool // no output_paths
	writable   bool
	batch      atomic.Int64 // largest batch, in bytes
	wire       *wire
	jobs       chan struct{}
	uploads    chan struct{}
	asked      *recent // answers by unsalted action
	present    *recent // in the cluster
	health     health
	queue      queue
	hits       lookups
	session    string // a random salt
	counters   counters

	ctx     context.Context // of all calls
	stop    context.CancelFunc
	leaving sync.WaitGroup // open streams
}

// Dial connects to a cluster. The error is ctx.Err() or an [*oracle.EnvironmentError].
func Dial(ctx context.Context, o Options) (*Cluster, error) { return dialAt(ctx, o, usual) }

func dialAt(ctx context.Context, o Options, p pace) (*Cluster, error) {
	if o.Jobs <= 0 {
		o.Jobs = usualJobs
	}
	if o.Lost <= 0 {
		o.Lost = usualLost
	}
	c := &Cluster{
		options: o, platform: platform(o.Platform), jobs: make(chan struct{}, o.Jobs), session: rand.Text(),
		uploads: make(chan struct{}, uploadsAtOnce), asked: newRecent(askedAtMost), present: newRecent(presentAtMost),
	}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	c.health.begin(o.Told, p)
	var err error
	if c.wire, err = dial(&c.options); err != nil {
		return nil, err
	}
	if err = c.agree(ctx); err == nil {
		c.base, err = newBase(&c.hash, o.Inputs)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	go c.pulse()
	return c, nil
}

// Close stops cancelled tests and closes the connection. No test may run.
func (c *Cluster) Close() error {
	c.leaving.Wait()
	c.stop()
	return c.wire.close()
}

func platform(properties map[string]string) *repb.Platform {
	if len(properties) == 0 {
		return nil
	}
	p := &repb.Platform{}
	for _, name := range sortedKeys(properties) {
		p.Properties = append(p.Properties, &repb.Platform_Property{Name: name, Value: properties[name]})
	}
	return p
}

func (c *Cluster) agree(ctx context.Context) error {
	caps, err := c.capabilities(ctx)
	if err != nil {
		return cmp.Or(ctx.Err(), oracle.Errorf("the cluster at %s does not answer as it should: %w%s",
			c.wire.target, plain(err), c.adviceFor(err)))
	}
	cache, execution := caps.GetCacheCapabilities(), caps.GetExecutionCapabilities()
	if !execution.GetExecEnabled() {
		return oracle.Errorf("the cluster at %s does not execute anything, it is a cache only; "+
			"name one that has workers, and check the instance name %q", c.options.Target, c.options.Instance)
	}
	theirs := execution.GetDigestFunctions()
	if f := execution.GetDigestFunction(); len(theirs) == 0 && f != repb.DigestFunction_UNKNOWN {
		theirs = append(theirs, f)
	}
	if c.hash, err = chooseFunction(theirs, cache.GetDigestFunctions()); err != nil {
		return err
	}
	c.verdicts = verdicts(&c.hash)
	c.writable = cache.GetActionCacheUpdateCapabilities().GetUpdateEnabled()
	if high := caps.GetHighApiVersion(); high.GetMajor() == 2 && high.GetMinor() == 0 {
		c.oldOutputs = true
	}
	c.batch.Store(batchAtMost)
	if most := cache.GetMaxBatchTotalSizeBytes(); most > 0 {
		c.batch.Store(min(batchAtMost, most))
	}
	return nil
}

// Writable reports whether clients may write to the action cache.
func (c *Cluster) Writable() bool { return c.writable }

// Run implements [oracle.Executor]. It repeats lost tests. After an [*oracle.EnvironmentError] a resumed run may
// continue once its cause is fixed.
//
// If ctx is done, Run asks the cluster to stop the test, and does not wait.
func (c *Cluster) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	run, err := c.run(ctx, &spec, candidate)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return oracle.Run{}, err
	}
	return run, nil
}

func (c *Cluster) run(ctx context.Context, spec *oracle.Spec, candidate []byte) (oracle.Run, error) {
	checked := *spec
	if len(spec.Argv) > 0 && !strings.Contains(spec.Argv[0], "/") { // the worker searches PATH
		checked.Argv = []string{"/" + spec.Argv[0]}
	}
	if err := checked.Check(); err != nil {
		return oracle.Run{}, err
	}
	if spec.Interesting.Memory {
		return oracle.Run{}, oracle.Errorf("a cluster has limits of memory of its own, " +
			"so a test cannot look for more memory than a limit there; run it on this machine")
	}
	select {
	case c.jobs <- struct{}{}:
		defer func() { <-c.jobs }()
	case <-ctx.Done():
		return oracle.Run{}, ctx.Err()
	}
	q, err := c.ask(spec, candidate)
	if err != nil {
		return oracle.Run{}, err
	}
	return c.answer(ctx, q)
}

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
