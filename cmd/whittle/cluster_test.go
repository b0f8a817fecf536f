package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"whittle/internal/testkit/fake"
)

// clusterKey is the key of a script's cluster in its values.
type clusterKey struct{}

// cluster [writable]: starts a cluster, whose address is $CLUSTER from then on; its action
// cache accepts writes of all clients. Afterwards
//
// cluster token NAME VALUE: it refuses calls without this header.
//
// cluster dies N: it stops to answer after N more tests.
//
// cluster denies: it refuses to execute.
//
// cluster lives: it answers again.
//
// cluster poison: its action cache finds every candidate interesting.
//
// cluster executed: prints how many tests it has executed.
func cluster(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || args[0] == "writable" {
		dir := filepath.Join(ts.Getenv("WORK"), "cluster")
		ts.Check(os.Mkdir(dir, 0o700))
		s, err := fake.Start(fake.Options{Dir: dir, Writable: len(args) > 0}, fake.Hooks{})
		ts.Check(err)
		ts.Defer(s.Close)
		ts.Setenv("CLUSTER", s.Target())
		ts.Value(clusterKey{}).(*clusterOf).Server = s
		return
	}
	s := ts.Value(clusterKey{}).(*clusterOf).Server
	need(ts, !neg && s != nil, "cluster, and then cluster token NAME VALUE, dies N, lives, poison or executed")
	switch args[0] {
	case "token":
		s.Hook(fake.Hooks{Call: func(ctx context.Context, _ string, _ proto.Message) error {
			sent, _ := metadata.FromIncomingContext(ctx)
			if got := sent.Get(args[1]); len(got) != 1 || got[0] != args[2] {
				return status.Error(codes.Unauthenticated, "who are you?")
			}
			return nil
		}})
	case "dies":
		var left atomic.Int64
		left.Store(int64(number(ts, args[1])))
		s.Hook(fake.Hooks{Call: func(_ context.Context, method string, _ proto.Message) error {
			if strings.HasSuffix(method, "/Execute") {
				left.Add(-1)
			}
			if left.Load() < 0 {
				return status.Error(codes.Unavailable, "nobody is here")
			}
			return nil
		}})
	case "denies":
		s.Hook(fake.Hooks{Call: func(_ context.Context, method string, _ proto.Message) error {
			if strings.HasSuffix(method, "/Execute") {
				return status.Error(codes.PermissionDenied, "you may only read")
			}
			return nil
		}})
	case "silent": // until the caller goes away
		s.Hook(fake.Hooks{Call: func(ctx context.Context, _ string, _ proto.Message) error {
			<-ctx.Done()
			return ctx.Err()
		}})
	case "lives":
		s.Hook(fake.Hooks{})
	case "poison":
		s.Poison(func(r *repb.ActionResult) { r.StdoutRaw, r.StdoutDigest = []byte("whittle 1 0\n"), nil })
	case "executed":
		fmt.Fprintln(ts.Stdout(), s.Executed())
	default:
		ts.Fatalf("a cluster does not %s", args[0])
	}
}

// clusterOf is the cluster of a script; zero before it starts.
type clusterOf struct{ *fake.Server }
