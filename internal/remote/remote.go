// Package remote runs tests on a cluster that speaks Bazel's Remote Execution API, version 2:
// Buildbarn, BuildBuddy, Buildfarm, NativeLink, BuildGrid and others.
//
// A test is an action: a command, and a tree of files named by their hashes, of which only
// those travel that the cluster has not. Its outcome may come from the action cache, where
// colleagues find it, too. What is believed is one line of a script, whittle.sh, which runs
// the test: a sandbox that cannot mount, a worker that is killed, a server that restarts have
// exit codes as well, and some are cached. Whatever is no such line is no outcome, and the
// test is asked again.
//
// A test finds what an [oracle.Spec] says, but for these: its environment is Options.Env, and
// beside that a PATH if there is none; WHITTLE_TEST_DIR has Options.Inputs. Limits of memory
// and of the time of processors are the cluster's; that of a file's size holds. The time limit
// is rounded up to 1, 2, 5, 10, … seconds, as it is a part of what the cache knows a test by.
// Death by SIGINT or SIGPIPE is seen as exit code 130 or 141.
package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/internal/environment"
	"whittle/oracle"
)

// Options say where the cluster is, and what tests find there. Target is needed.
type Options struct {
	Target   string            // grpc://host:port, grpcs://host:port or unix:path; without a scheme it is grpcs
	Instance string            // of the server; "" is its only one
	Platform map[string]string // properties that a worker must have
	Env      []string          // environment of the tests, NAME=VALUE
	Inputs   []Input           // files of the test
	Cache    Cache
	Check    string // a shell command that must exit with 0 on a worker, before each test; "" is none
	TLS      TLS
	Jobs     int // tests at once; 0 is 64

	// Headers returns what is sent with each call: secrets. It is asked at the start, and
	// again when the cluster says that it does not know us (any more). Nil is none.
	Headers func() ([]Header, error)
	// Lost is how long the cluster may give no answer before tests end with an
	// [*oracle.EnvironmentError]; 0 is ten minutes.
	Lost time.Duration
	// Told is told that the cluster does not answer, and that it does again, from any
	// goroutine; nil is nobody.
	Told func(text string)
}

// A Header is sent with each call.
type Header struct{ Name, Value string }

// TLS has paths of PEM files.
type TLS struct {
	CA        string // whom to trust; "" is whom this machine trusts
	Cert, Key string // who we are; "" is nobody
}

// Cache says what the cluster's action cache is for.
type Cache int

// The policies. With each a test that is to be asked afresh is.
const (
	CacheShared  Cache = iota // outcomes are taken from it, and come there
	CacheRefresh              // outcomes come there, but none is taken
	CacheOff                  // neither
)

// The usual values of Options.
const (
	usualJobs = 64
	usualLost = 10 * time.Minute
)

// A Cluster is an [oracle.Executor]. It may be used from several goroutines at once.
type Cluster struct {
	options    Options
	hash       digestFunction
	base       *base
	lines      *dictionary
	platform   *repb.Platform
	oldOutputs bool         // the server does not know output_paths
	writable   bool         // the action cache takes what we say
	batch      atomic.Int64 // bytes of a batch of blobs
	wire       *wire
	jobs       chan struct{}
	uploads    chan struct{}
	asked      *recent // by action without salt: how many answers there were
	present    *recent // blobs that the cluster has
	health     health
	queue      queue
	hits       lookups
	session    string // a random salt
	counters   counters

	ctx     context.Context // of all calls
	stop    context.CancelFunc
	leaving sync.WaitGroup // streams that are open, which nobody may wait for any more
}

// Dial connects to a cluster and asks what it can do. The error is ctx's or an
// [*oracle.EnvironmentError] that says what to do.
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

// Close ends the connection, once the cluster was told to stop the tests that nobody waits
// for any more. None may run.
func (c *Cluster) Close() error {
	c.leaving.Wait()
	c.stop()
	return c.wire.close()
}

// platform returns properties as messages have them, in their order.
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

// agree asks the server what it can do, and settles how it is talked to.
func (c *Cluster) agree(ctx context.Context) error {
	caps, err := c.capabilities(ctx)
	if err != nil {
		return err
	}
	cache, execution := caps.GetCacheCapabilities(), caps.GetExecutionCapabilities()
	if !execution.GetExecEnabled() {
		return environment.Errorf("the cluster at %s does not execute anything, it is a cache only; "+
			"name one that has workers, and check the instance name %q", c.options.Target, c.options.Instance)
	}
	theirs := cache.GetDigestFunctions()
	if f := execution.GetDigestFunctions(); len(f) > 0 {
		theirs = common(f, theirs)
	} else if f := execution.GetDigestFunction(); f != repb.DigestFunction_UNKNOWN {
		theirs = common([]repb.DigestFunction_Value{f}, theirs)
	}
	if c.hash, err = chooseFunction(theirs); err != nil {
		return err
	}
	c.lines = newDictionary(&c.hash)
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

// Writable reports whether the action cache takes outcomes from whoever asks for tests, and not
// from workers alone.
func (c *Cluster) Writable() bool { return c.writable }

// common returns those of a that are in b, too, if b says anything.
func common(a, b []repb.DigestFunction_Value) []repb.DigestFunction_Value {
	if len(b) == 0 {
		return a
	}
	var both []repb.DigestFunction_Value
	for _, x := range a {
		for _, y := range b {
			if x == y {
				both = append(both, x)
			}
		}
	}
	if len(both) == 0 {
		return b
	}
	return both
}

// Run runs a test on a candidate; see [oracle.Executor]. A test that the cluster loses is
// asked again; with an [*oracle.EnvironmentError] a resumed run may go on, once what it says
// was put right.
//
// If ctx is done, the cluster is told to stop the test, and Run does not wait for that.
func (c *Cluster) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	run, err := c.run(ctx, &spec, candidate)
	if done := ctx.Err(); done != nil {
		err = done
	}
	if err != nil {
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
		return oracle.Run{}, environment.Errorf("a cluster has limits of memory of its own, " +
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

// errOf makes an error an [*oracle.EnvironmentError], if it is none.
func errOf(err error) error {
	var is *environment.Error
	if errors.As(err, &is) {
		return err
	}
	return &environment.Error{Err: err}
}
