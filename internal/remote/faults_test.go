package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
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
	"whittle/oracle"
)

const holds = "#!/bin/sh\ngrep -q needle a.c\n"

func first(n int64) func() bool {
	var asked atomic.Int64
	return func() bool { return asked.Add(1) <= n }
}

func (r *rig) both(t *testing.T) {
	t.Helper()
	for text, want := range map[string]algo.Outcome{"needle": algo.Interesting, "hay": algo.Uninteresting} {
		if got := r.run(t, text); got.Outcome != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func (r *rig) fails(t *testing.T, words ...string) string {
	t.Helper()
	run, err := r.Run(t.Context(), r.spec, []byte("needle"))
	var environment *oracle.EnvironmentError
	if !errors.As(err, &environment) {
		t.Fatalf("%+v, error %v; want an environment error", run, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in: %v", w, err)
		}
	}
	return err.Error()
}

func TestClusterWithoutLine(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*repb.ActionResult){
		"sandbox":   func(r *repb.ActionResult) { r.ExitCode, r.StdoutDigest = 1, nil },
		"killed":    func(r *repb.ActionResult) { r.ExitCode, r.StdoutDigest = 137, nil },
		"nothing":   func(r *repb.ActionResult) { r.StdoutDigest = nil },
		"exit code": func(r *repb.ActionResult) { r.ExitCode = 1 },
		"no result": func(r *repb.ActionResult) { proto.Reset(r) },
		"other":     func(r *repb.ActionResult) { r.StdoutRaw = []byte("whittle 2 0\n") },
		"more":      func(r *repb.ActionResult) { r.StdoutRaw = []byte("whittle 1 0\nwhittle 1 0\n") },
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, holds, fake.Options{CachesFailures: true}, Options{})
			r.server.Hook(fake.Hooks{Result: func(a *repb.Action, response *repb.ExecuteResponse) {
				if len(a.Salt) == 0 || string(a.Salt) == "0/1" {
					spoil(response.Result)
				}
			}})
			r.both(t)
			if n := r.server.Executed(); n != 6 {
				t.Errorf("executed %d times; want 6", n)
			}
			r.server.Hook(fake.Hooks{Result: func(_ *repb.Action, response *repb.ExecuteResponse) {
				response.Result.StderrRaw = []byte("bwrap: cannot mount")
				spoil(response.Result)
			}})
			want := []string{"5 attempts", "on the worker fake", "bwrap: cannot mount"}
			if name == "no result" {
				want = want[:1]
			}
			r.fails(t, want...)
			if n := r.server.Executed(); n != 11 {
				t.Errorf("executed %d times; want 11", n)
			}
		})
	}
}

func TestClusterDeadline(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	r.server.Hook(fake.Hooks{Result: func(_ *repb.Action, response *repb.ExecuteResponse) {
		response.Status = &rpc.Status{Code: int32(codes.DeadlineExceeded)}
	}})
	if got := r.run(t, "needle"); got.Outcome != algo.Unresolved || !got.TimedOut || got.ExitCode == 0 {
		t.Errorf("%+v", got)
	}
	r.spec.Interesting.Timeout = true
	if got := r.run(t, "needle"); got.Outcome != algo.Interesting {
		t.Errorf("where no end is looked for: %+v", got)
	}
}

var transient = []codes.Code{codes.Unavailable, codes.Internal, codes.Aborted, codes.Unknown, codes.ResourceExhausted,
	codes.Canceled, codes.DataLoss}

func TestClusterTransient(t *testing.T) {
	for _, code := range transient {
		for name, hooks := range map[string]func(fails func() bool) fake.Hooks{
			"Execute late":          callFails("Execute", codes.DeadlineExceeded), // of a proxy
			"FindMissingBlobs late": callFails("FindMissingBlobs", codes.DeadlineExceeded),
			"status": func(fails func() bool) fake.Hooks {
				return fake.Hooks{Result: func(_ *repb.Action, response *repb.ExecuteResponse) {
					if fails() {
						response.Result.StdoutRaw = []byte("whittle 1 7\n")
						response.Status = &rpc.Status{Code: int32(code)}
					}
				}}
			},
			"operation": func(fails func() bool) fake.Hooks {
				return fake.Hooks{Deliver: func(send func(*longrunningpb.Operation) error, _ *longrunningpb.Operation,
					wait func() *longrunningpb.Operation) error {
					op := wait()
					if fails() {
						op.Result = &longrunningpb.Operation_Error{Error: &rpc.Status{Code: int32(code)}}
					}
					return send(op)
				}}
			},
			"Execute":          callFails("Execute", code),
			"FindMissingBlobs": callFails("FindMissingBlobs", code),
			"BatchUpdateBlobs": callFails("BatchUpdateBlobs", code),
			"GetActionResult":  callFails("GetActionResult", code),
		} {
			t.Run(fmt.Sprint(name, " ", code), func(t *testing.T) {
				t.Parallel()
				r := start(t, holds, fake.Options{}, Options{})
				r.server.Hook(hooks(first(3)))
				r.both(t)
			})
		}
	}
}

func callFails(method string, code codes.Code) func(fails func() bool) fake.Hooks {
	return func(fails func() bool) fake.Hooks {
		return fake.Hooks{Call: func(_ context.Context, called string, _ proto.Message) error {
			if strings.HasSuffix(called, "/"+method) && fails() {
				return status.Error(code, "it failed")
			}
			return nil
		}}
	}
}

func TestClusterLost(t *testing.T) {
	var told atomic.Pointer[string]
	r := start(t, holds, fake.Options{}, Options{
		Lost: 300 * time.Millisecond, Told: func(text string) { told.Store(&text) },
	})
	fails := callFails("Execute", codes.Unavailable)
	r.server.Hook(fails(func() bool { return true }))
	r.fails(t, "no answer for 300ms", "Unavailable: it failed", "resume")
	if text := told.Load(); text == nil || !strings.Contains(*text, "it failed") {
		t.Error("nobody was told that the cluster fails")
	}
	r.server.Hook(fake.Hooks{})
	r.both(t)
	if text := told.Load(); text == nil || !strings.Contains(*text, "answers again") {
		t.Error("nobody was told that it answers again")
	}
}

// A failing test repeats more often while other tests get answers, but not forever.
func TestClusterFailsAtOne(t *testing.T) {
	t.Parallel()
	r := start(t, holds, fake.Options{}, Options{Lost: time.Hour})
	r.server.Hook(callFails("Execute", codes.Internal)(func() bool { return true }))
	r.fails(t, "100 times")
}

func TestClusterRestart(t *testing.T) {
	o := fake.Options{Listen: "unix:" + filepath.Join(t.TempDir(), "socket"), Dir: t.TempDir()}
	r := start(t, holds, o, Options{})
	r.both(t)
	r.server.Close()
	go func() {
		time.Sleep(200 * time.Millisecond)
		again, err := fake.Start(o, fake.Hooks{})
		if err != nil {
			panic(err)
		}
		t.Cleanup(again.Close)
	}()
	r.both(t)
}

func cut(fails func() bool, after int) fake.Hooks {
	return fake.Hooks{Deliver: func(send func(*longrunningpb.Operation) error, op *longrunningpb.Operation,
		wait func() *longrunningpb.Operation) error {
		if fails() {
			for range after {
				send(op)
			}
			return nil
		}
		return send(wait())
	}}
}

func TestClusterCut(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	r.server.Hook(cut(first(3), 1))
	r.run(t, "needle")
	if n, waits := r.server.Executed(), r.server.Calls("WaitExecution"); n != 1 || waits != 3 {
		t.Errorf("executed %d times, waited %d times; want 1 and 3", n, waits)
	}
	r.server.Hook(cut(first(2), 0)) // before the name
	r.both(t)
}

func TestClusterForgotten(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	once := first(1)
	r.server.Hook(fake.Hooks{Deliver: func(send func(*longrunningpb.Operation) error, op *longrunningpb.Operation,
		wait func() *longrunningpb.Operation) error {
		if once() {
			send(op)
			r.server.ForgetOperations()
			return status.Error(codes.Unavailable, "the server is shutting down")
		}
		return send(wait())
	}})
	r.both(t)
}

func TestClusterConfused(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	r.server.Hook(fake.Hooks{Deliver: func(send func(*longrunningpb.Operation) error, op *longrunningpb.Operation,
		wait func() *longrunningpb.Operation) error {
		last := wait()
		other, _ := proto.Clone(last).(*longrunningpb.Operation)
		about := &repb.ExecuteOperationMetadata{ActionDigest: &repb.Digest{Hash: "0123", SizeBytes: 3}}
		other.Metadata.MarshalFrom(about)
		other.GetResponse().MarshalFrom(&repb.ExecuteResponse{Result: &repb.ActionResult{StdoutRaw: []byte("whittle 1 7\n")}})
		for _, m := range []*longrunningpb.Operation{other, op, op, last, op, last, other} {
			send(m)
		}
		return nil
	}})
	r.both(t)
}

func TestClusterLostFiles(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	r.both(t)
	r.server.Lose()
	r.server.Forget()
	r.both(t)
	for _, code := range []codes.Code{codes.FailedPrecondition, codes.NotFound} {
		r.server.Hook(callFails("Execute", code)(first(2)))
		r.both(t)
		r.server.Hook(callFails("Execute", code)(func() bool { return true }))
		r.fails(t, "refuses", "it failed")
	}
}

func TestClusterLostOutput(t *testing.T) {
	r := start(t, "#!/bin/sh\ncat a.c\n", fake.Options{}, Options{})
	r.spec.KeepOutput = true
	if got := r.run(t, "needle"); string(got.Output) != "needle" {
		t.Errorf("%+v", got)
	}
	r.asked = newRecent(askedAtMost) // like another user
	r.server.Lose()
	if got := r.run(t, "needle"); string(got.Output) != "needle" || got.Cached {
		t.Errorf("%+v", got)
	}
}

func TestClusterRefused(t *testing.T) {
	for _, code := range []codes.Code{codes.InvalidArgument, codes.Unauthenticated, codes.PermissionDenied} {
		for _, method := range []string{"Execute", "FindMissingBlobs"} {
			r := start(t, holds, fake.Options{}, Options{})
			r.server.Hook(callFails(method, code)(func() bool { return true }))
			r.fails(t, "refuses", "it failed", ";")
			if n := r.server.Calls(method); n != 1 {
				t.Errorf("%s, %s: asked %d times", method, code, n)
			}
		}
	}
}

func TestClusterMissingProgram(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	r.spec.Argv = []string{"/usr/bin/no-such-compiler", "-c", "{}"}
	r.fails(t, "there is no program /usr/bin/no-such-compiler", "worker fake")
}

func TestClusterSilent(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	hangs := first(2)
	r.server.Hook(fake.Hooks{
		Call: func(ctx context.Context, method string, _ proto.Message) error {
			if strings.HasSuffix(method, "/Execute") && hangs() {
				<-ctx.Done()
			} else if strings.HasSuffix(method, "/GetCapabilities") {
				return status.Error(codes.Unavailable, "gone")
			}
			return nil
		},
	})
	r.both(t)
}

// A long test is silent, too, and goes undisturbed.
func TestClusterSlow(t *testing.T) {
	t.Parallel()
	r := start(t, "#!/bin/sh\nsleep 1\n", fake.Options{}, Options{})
	r.run(t, "needle")
	if n, asked := r.server.Calls("Execute"), r.server.Calls("GetCapabilities"); n != 1 || asked < 2 {
		t.Errorf("executed %d times, asked %d times whether it is there", n, asked)
	}
}

func TestClusterPoison(t *testing.T) {
	for _, o := range []fake.Options{{}, {CachesEverything: true}} {
		r := start(t, holds, o, Options{})
		r.run(t, "hay")
		yes := r.server.Put([]byte("whittle 1 0\n"))
		r.server.Poison(func(result *repb.ActionResult) { result.StdoutDigest = yes })
		r.asked = newRecent(askedAtMost)
		if got := r.run(t, "hay"); got.Outcome != algo.Interesting || !got.Cached {
			t.Errorf("%+v", got)
		}
		r.spec.Afresh = true
		for range 2 {
			if got := r.run(t, "hay"); got.Outcome != algo.Uninteresting || got.Cached {
				t.Errorf("afresh: %+v", got)
			}
		}
		r.spec.Afresh = false
		o := r.options
		o.Cache = CacheOff
		off, err := Dial(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer off.Close()
		for range 2 {
			if got, err := off.Run(t.Context(), r.spec, []byte("hay")); err != nil || got.Outcome != algo.Uninteresting {
				t.Errorf("without cache: %+v, %v", got, err)
			}
		}
	}
}

func TestClusterChangedInput(t *testing.T) {
	r := start(t, holds, fake.Options{}, Options{})
	if err := os.WriteFile(r.spec.Argv[0], []byte("#!/bin/sh\nexit 0 # and longer now\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.fails(t, "test.sh", "has changed")
}
