package remote

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"

	"whittle/algo"
	"whittle/internal/testkit/fake"
)

func queued(until <-chan struct{}, worker func() bool) fake.Hooks {
	return fake.Hooks{Deliver: func(send func(*longrunningpb.Operation) error, op *longrunningpb.Operation,
		wait func() *longrunningpb.Operation) error {
		about := &repb.ExecuteOperationMetadata{Stage: repb.ExecutionStage_QUEUED}
		op.Metadata.MarshalFrom(about)
		send(op)
		if worker() {
			about.Stage = repb.ExecutionStage_EXECUTING
			op.Metadata.MarshalFrom(about)
			send(op)
		}
		<-until
		return send(wait())
	}}
}

// Workers may take no tests, as in BuildGrid for unknown properties.
func TestClusterNoWorker(t *testing.T) {
	var mu sync.Mutex
	var told []string
	r := start(t, holds, fake.Options{}, Options{Lost: 900 * time.Millisecond, Told: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, text)
	}})
	until := make(chan struct{})
	r.server.Hook(queued(until, first(0)))
	r.fails(t, "no worker", "has taken a test for 900ms", "platform properties", "resume")
	close(until)
	r.both(t)
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 1 || !strings.Contains(told[0], "no worker of the cluster has taken a test") {
		t.Errorf("told %q", told)
	}
	if n := r.Tally().Cancelled; n != 1 {
		t.Errorf("%d tests that nobody waits for were cancelled; want 1", n)
	}
}

func TestClusterSlowWorker(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{Lost: 300 * time.Millisecond, Told: func(text string) { t.Error(text) }})
	until := make(chan struct{})
	r.server.Hook(queued(until, first(1)))
	time.AfterFunc(1200*time.Millisecond, func() { close(until) })
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if run, err := r.Run(t.Context(), r.spec, []byte("needle")); err != nil || run.Outcome != algo.Interesting {
				t.Errorf("%v, %v", run.Outcome, err)
			}
		})
	}
	both.Wait()
}

func TestClusterCancelFails(t *testing.T) {
	for _, code := range []codes.Code{codes.Internal, codes.ResourceExhausted} {
		r := start(t, "#!/bin/sh\nsleep 1000\n", fake.Options{}, Options{})
		r.server.Hook(callFails("CancelOperation", code)(first(2)))
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if _, err := r.Run(ctx, r.spec, []byte("needle")); err != context.DeadlineExceeded {
			t.Errorf("error %v", err)
		}
		r.leaving.Wait()
		if n := r.Tally().Cancelled; n != 1 || r.server.Calls("CancelOperation") != 3 {
			t.Errorf("%s: %d operations cancelled in %d calls; want 1 in 3", code, n, r.server.Calls("CancelOperation"))
		}
	}
}

// A server that is full, as BuildGrid with all threads in tests, is alive.
func TestClusterNoRoom(t *testing.T) {
	r := start(t, "#!/bin/sh\nsleep 1\n", fake.Options{}, Options{Lost: 400 * time.Millisecond})
	r.server.Hook(callFails("GetCapabilities", codes.ResourceExhausted)(first(100)))
	r.run(t, "needle")
	if n, asked := r.server.Calls("Execute")+r.server.Calls("WaitExecution"), r.server.Calls("GetCapabilities"); n != 1 ||
		asked < 2 {
		t.Errorf("the test had %d streams, and the server was asked %d times whether it is there", n, asked)
	}
	r.server.Hook(callFails("Execute", codes.ResourceExhausted)(first(1000)))
	r.fails(t, "no answer for 400ms", "ResourceExhausted: it failed; ", "fewer tests")
	r.server.Hook(callFails("Execute", codes.FailedPrecondition)(first(1000)))
	r.fails(t, "FailedPrecondition: it failed; ", "platform properties", "time limit")
}
