package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"whittle/internal/testkit/remotetest"
)

// TestClusterChaos reduces on a server with random faults, and compares with a run on this machine:
// the bytes, the questions and the answers must be equal. WHITTLE_FAULTS is the minimum number of
// faults, WHITTLE_CHAOS_SEED the seed.
func TestClusterChaos(t *testing.T) {
	t.Parallel()
	wanted, seed := 12, 1
	for name, to := range map[string]*int{"WHITTLE_FAULTS": &wanted, "WHITTLE_CHAOS_SEED": &seed} {
		if s := os.Getenv(name); s != "" {
			var err error
			if *to, err = strconv.Atoi(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := &chaos{t: t, r: rand.New(rand.NewPCG(uint64(seed), 18)), times: map[string]int{}, stopped: map[string]int{}}
	c.server = remotetest.Start(t, remotetest.Casd)
	c.mounts = c.server.LimitDisk(t, 256<<20) == nil
	c.ours, c.theirs = remotetest.NewAuthority(t), remotetest.NewAuthority(t)
	c.proxy = remotetest.NewProxy(t, c.server.Address, c.ours.Server(t, true))
	c.proxy.Plan, c.proxy.Admit = c.plan, c.admit
	c.secret.Store("secret")

	reduction := remoteCase{name: "a file", args: "reduce test.sh words.py", makes: "words.reduced.py",
		files: map[string]string{"test.sh": wordsTest, "words.py": read(t, "../../testdata/input/words.py")}}
	if wanted > 50 {
		reduction = remoteCase{name: "demo", args: "reduce test.sh ledger.c", makes: "ledger.reduced.c", env: "CC=gcc",
			files: map[string]string{"test.sh": read(t, "../../testdata/demo/test.sh"),
				"ledger.c": read(t, "../../testdata/demo/ledger.c")}}
	}
	here := reduction.run(t)
	for run := 1; c.faults() < wanted; run++ {
		begin := time.Now()
		there := c.reduce(&reduction)
		here.compare(t, there)
		t.Logf("run %d: %d faults by now, %d tests, %v", run, c.faults(), there.tests, time.Since(begin).Round(time.Second))
		if t.Failed() {
			break
		}
	}
	t.Logf("%d faults:\n%s", c.faults(), c.table())
}

type chaos struct {
	t            *testing.T
	server       *remotetest.Server
	proxy        *remotetest.Proxy
	ours, theirs *remotetest.Authority
	mounts       bool
	secret       atomic.Value // the token of valid calls
	headers      string       // the file with the token

	lock    sync.Mutex
	r       *rand.Rand
	last    string
	times   map[string]int // by fault
	stopped map[string]int // stops of whittle after a fault
}

// expired is a fault that stops whittle until it gets another token.
const expired = "token expired"

func (c *chaos) faults() (n int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, times := range c.times {
		n += times
	}
	return n
}

func (c *chaos) happened(fault string, times int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.times[fault] += times
	if times > 0 {
		c.last = fault
	}
}

// stops records a stop that a restart continues.
func (c *chaos) stops(code int, stderr string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	message := lines[len(lines)-1]
	cause := c.last
	if strings.Contains(message, "Unauthenticated") {
		cause = expired
	}
	c.stopped[cause]++
	c.t.Logf("after %q: exit code %d, %s", cause, code, message)
}

func (c *chaos) random(n int) int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.r.IntN(n)
}

func (c *chaos) table() string {
	c.lock.Lock()
	defer c.lock.Unlock()
	var names []string
	for name := range c.times {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", name, c.times[name], c.stopped[name])
	}
	return b.String()
}

// reduce runs a reduction in a new directory on a new server, and restarts whittle until the end.
func (c *chaos) reduce(reduction *remoteCase) *outcome {
	t := c.t
	c.server.Kill()
	if err := errors.Join(c.server.LoseStore(), c.server.Restart()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	reduction.lay(t, dir)
	tmp := filepath.Join(t.TempDir(), "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	certificate, key := c.ours.Issue(t, "client")
	c.headers = filepath.Join(t.TempDir(), "headers")
	for life := 1; ; life++ {
		c.token(c.secret.Load().(string))
		whittle := reduction.command(dir, "--remote", "grpcs://"+c.proxy.Address, "--remote-jobs", "6",
			"--remote-tls-ca", c.ours.File, "--remote-tls-cert", certificate, "--remote-tls-key", key,
			"--remote-header-file", c.headers)
		whittle.Env = append(whittle.Env, "TMPDIR="+tmp)
		if err := whittle.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- whittle.Wait() }()
		err, killed := c.disturb(whittle, ended)
		if err == nil {
			break
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) && (exit.ExitCode() == 3 || killed && exit.ExitCode() == -1) && life < 1000 {
			c.stops(exit.ExitCode(), fmt.Sprint(whittle.Stderr))
			continue
		}
		t.Fatalf("life %d after %q: %v\n%s", life, c.last, err, whittle.Stderr)
	}
	if left := leftovers(dir, tmp); left != "" {
		t.Error(left)
	}
	return reduction.outcome(t, dir, "")
}

// disturb causes faults until whittle ends.
func (c *chaos) disturb(whittle *exec.Cmd, ended chan error) (err error, killed bool) {
	for {
		select {
		case err := <-ended:
			return err, killed
		case <-time.After(time.Duration(200+c.random(1200)) * time.Millisecond):
		}
		while := time.Duration(300+c.random(1200)) * time.Millisecond
		switch c.random(10) {
		case 0:
			c.happened("connections broken", c.proxy.Break())
		case 1:
			c.happened("connections refused for a second", 1)
			c.proxy.Close()
			time.Sleep(while)
			c.must(c.proxy.Open())
		case 2:
			c.happened("wrong certificate for a second", 1)
			c.must(c.proxy.Present(c.theirs.Server(c.t, true)))
			time.Sleep(while)
			c.must(c.proxy.Present(c.ours.Server(c.t, true)))
		case 3:
			c.happened("runners killed", c.server.KillActions(func(line string) bool {
				return strings.Contains(line, "buildbox-run ") && c.random(2) == 0
			}))
		case 4, 5:
			c.happened("sandboxes killed", c.server.KillActions(func(line string) bool {
				return strings.Contains(line, "/bwrap ") && c.random(2) == 0
			}))
		case 6:
			c.happened("wrappers killed in their sandboxes", c.server.KillActions(func(line string) bool {
				return strings.HasPrefix(line, "/bin/sh whittle.sh ") && c.random(2) == 0
			}))
		case 7:
			lost := c.random(2) == 0
			fault := "server killed and restarted"
			if lost {
				fault += ", store lost"
			}
			c.happened(fault, 1)
			c.server.Kill()
			if lost {
				c.must(c.server.LoseStore())
			}
			time.Sleep(while / 3)
			c.must(c.server.Restart())
		case 8:
			if !c.mounts {
				continue
			}
			release, err := c.server.FillDisk()
			c.must(err)
			c.happened("disk of the server full for a second", 1)
			time.Sleep(while)
			c.must(release())
		case 9:
			token := fmt.Sprint("secret", c.faults())
			c.secret.Store(token)
			if c.random(3) > 0 {
				c.happened("token expired, a new one in the file", 1)
				c.token(token)
			} else {
				c.happened(expired, 1)
			}
		}
		if c.random(25) == 0 && len(ended) == 0 {
			c.happened("whittle killed", 1)
			killed = true
			whittle.Process.Kill()
		}
	}
}

// plan returns the fault of a call.
func (c *chaos) plan(method string) (f remotetest.Fault) {
	if c.random(30) > 0 {
		return f
	}
	refusals := []codes.Code{codes.Unavailable, codes.ResourceExhausted, codes.Internal, codes.Aborted, codes.Unknown}
	kinds := 3
	if strings.HasSuffix(method, "Execute") || strings.HasSuffix(method, "WaitExecution") {
		kinds = 6 // a stream may have several answers
	}
	what := ""
	switch c.random(kinds) {
	case 0:
		f.Refuse = refusals[c.random(len(refusals))]
		what = "call refused: " + f.Refuse.String()
	case 1:
		f.Lose, what = true, "answer lost"
	case 2:
		f.Delay, what = time.Duration(500+c.random(1500))*time.Millisecond, "answers late"
	case 3:
		f.Cut, what = true, "stream cut after an answer"
	case 4:
		f.Twice, what = true, "answers twice"
	case 5:
		f.Swap, what = true, "answers out of order"
	}
	c.happened(what, 1)
	return f
}

// admit refuses calls without the token.
func (c *chaos) admit(sent metadata.MD) error {
	if got := sent.Get("authorization"); !slices.Equal(got, []string{"Bearer " + c.secret.Load().(string)}) {
		return status.Error(codes.Unauthenticated, "the token is not valid any more")
	}
	return nil
}

func (c *chaos) token(secret string) {
	c.must(os.WriteFile(c.headers+".new", []byte("authorization=Bearer "+secret+"\n"), 0o600))
	c.must(os.Rename(c.headers+".new", c.headers))
}

func (c *chaos) must(err error) {
	if err != nil {
		c.t.Error(err)
	}
}
