package remote

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	rpc "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"whittle/algo"
	"whittle/internal/testkit/fake"
)

type trouble struct {
	server *fake.Server
	mu     sync.Mutex
	dice   *rand.Rand
	counts map[string]int
	broken map[string]int
}

func (x *trouble) happens(once int, what string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.dice.IntN(once) != 0 {
		return false
	}
	x.counts[what]++
	return true
}

func (x *trouble) brokenOften(files string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.broken[files]++
	return x.broken[files] >= silences
}

func (x *trouble) any(n int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.dice.IntN(n)
}

func (x *trouble) call(ctx context.Context, method string, _ proto.Message) error {
	if strings.HasSuffix(method, "/GetCapabilities") {
		return nil
	}
	switch {
	case x.happens(15, "call fails"):
		return status.Error(transient[x.any(len(transient))], "trouble")
	case x.happens(25, "call is late"):
		time.Sleep(time.Duration(x.any(20)) * time.Millisecond)
	case x.happens(60, "files are lost"):
		x.server.Lose()
	case x.happens(60, "operations are forgotten"):
		x.server.ForgetOperations()
	}
	return nil
}

// result simulates a broken worker, less often than makes the client give up.
func (x *trouble) result(action *repb.Action, response *repb.ExecuteResponse) {
	lie := []byte("whittle 1 0\n")
	switch {
	case x.brokenOften(action.InputRootDigest.Hash):
	case x.happens(25, "sandbox does not start"):
		response.Result.ExitCode, response.Result.StdoutDigest = 1, nil
	case x.happens(25, "worker is killed"):
		response.Result.ExitCode, response.Result.StdoutDigest = 137, x.server.Put(lie)
	case x.happens(15, "status is an error"):
		response.Result.StdoutRaw = lie
		response.Status = &rpc.Status{Code: int32(transient[x.any(len(transient))])}
	case x.happens(40, "line is cut"):
		response.Result.StdoutRaw = lie[:x.any(len(lie)-1)+1]
	}
}

func (x *trouble) deliver(send func(*longrunningpb.Operation) error, first *longrunningpb.Operation,
	wait func() *longrunningpb.Operation) error {
	if x.happens(10, "stream is cut at the begin") {
		return status.Error(codes.Unavailable, "trouble")
	}
	send(first)
	if x.happens(10, "stream is cut") {
		return nil
	}
	last := wait()
	if last == nil {
		return status.Error(codes.Canceled, "nobody waits")
	}
	switch {
	case x.happens(10, "stream is cut before the end"):
		return status.Error(codes.Internal, "trouble")
	case x.happens(10, "messages come twice"):
		send(first)
		send(last)
	}
	return send(last)
}

func TestClusterChaos(t *testing.T) {
	t.Parallel()
	r := start(t, holds, fake.Options{CachesFailures: true}, Options{Lost: time.Hour, Jobs: 16})
	x := &trouble{server: r.server, dice: rand.New(rand.NewPCG(1, 2)), counts: map[string]int{}, broken: map[string]int{}}
	r.server.Hook(fake.Hooks{Call: x.call, Result: x.result, Deliver: x.deliver})
	var all sync.WaitGroup
	work := make(chan int)
	for range 16 {
		all.Go(func() {
			for i := range work {
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if i%7 == 0 {
					ctx, cancel = context.WithTimeout(ctx, time.Duration(x.any(30))*time.Millisecond)
				}
				text, want := fmt.Sprint("needle", i), algo.Interesting
				if i%3 == 0 {
					text, want = fmt.Sprint("hay", i), algo.Uninteresting
				}
				spec := r.spec
				spec.KeepOutput, spec.Afresh = i%5 == 0, i%11 == 0
				got, err := r.Run(ctx, spec, []byte(text))
				if (err != nil || got.Outcome != want) && ctx.Err() == nil {
					t.Errorf("%s: %+v, %v", text, got, err)
				}
				cancel()
			}
		})
	}
	for i := range 150 {
		work <- i
	}
	close(work)
	all.Wait()
	x.mu.Lock() // cancelled tests may still run
	defer x.mu.Unlock()
	sum := 0
	for what, n := range x.counts {
		t.Logf("%4d × %s", n, what)
		sum += n
	}
	t.Logf("%d faults, %+v", sum, r.Tally())
	if sum < 200 {
		t.Errorf("%d faults; want 200", sum)
	}
}
