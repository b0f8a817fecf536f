package remote

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
)

type watched struct {
	conn   *grpc.ClientConn
	action digest
	since  time.Time // reported start of the execution
	stage  repb.ExecutionStage_Value

	name atomic.Value // string
	left atomic.Bool  // cancelled
}

func (w *watched) named() string { return w.name.Load().(string) }

// execute runs an action, or continues with the named operation after its stream broke. It returns the name if the
// stream breaks again. The error is the server's.
func (c *Cluster) execute(ctx context.Context, action digest, name string, fresh bool, output bool,
) (*repb.ExecuteResponse, string, error) {
	conn, release := c.wire.stream()
	own, cancel := context.WithCancel(c.ctx)
	over := c.health.stream()
	w := &watched{conn: conn, action: action, since: time.Now()}
	w.name.Store(name)
	var response *repb.ExecuteResponse
	var err error
	ended := make(chan struct{})
	c.leaving.Go(func() {
		defer release()
		defer over()
		defer cancel()
		response, err = c.watch(own, w, fresh, output)
		c.queue.becomes(w.stage, repb.ExecutionStage_UNKNOWN)
		close(ended)
		if w.left.Load() && err != nil && w.named() != "" {
			c.cancelOperation(w.named())
		}
	})
	tick := time.NewTicker(c.health.pace.silent / 3)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return response, w.named(), err
		case <-ctx.Done():
			w.leave(cancel)
			return nil, "", ctx.Err()
		case <-tick.C:
			if c.queue.stands() > c.options.Lost {
				w.leave(cancel)
				return nil, "", c.standstill()
			}
		}
	}
}

func (c *Cluster) watch(ctx context.Context, w *watched, fresh, output bool) (*repb.ExecuteResponse, error) {
	client := repb.NewExecutionClient(w.conn)
	var stream interface {
		Recv() (*longrunningpb.Operation, error)
	}
	var err error
	if name := w.named(); name != "" {
		stream, err = client.WaitExecution(c.wire.context(ctx), &repb.WaitExecutionRequest{Name: name})
	} else {
		request := &repb.ExecuteRequest{
			InstanceName: c.options.Instance, ActionDigest: w.action.Proto(), DigestFunction: c.hash.value,
			SkipCacheLookup: fresh, InlineStdout: true,
		}
		if output {
			request.InlineOutputFiles = []string{outputName}
		}
		stream, err = client.Execute(c.wire.context(ctx), request)
	}
	for err == nil {
		var op *longrunningpb.Operation
		if op, err = stream.Recv(); err != nil {
			break
		}
		c.health.heard()
		before := w.stage
		if !w.follow(op) {
			continue
		}
		if op.Done {
			w.stage = repb.ExecutionStage_COMPLETED
		}
		c.queue.becomes(before, w.stage)
		if op.Name != "" {
			w.name.Store(op.Name)
		}
		if w.left.Load() && !op.Done {
			return nil, context.Canceled
		}
		if op.Done {
			response, err := ended(op)
			w.measure(response)
			return response, err
		}
	}
	if err == io.EOF {
		err = status.Error(codes.Unavailable, "the stream ended before the test did")
	}
	return nil, err
}

// follow reports whether an update is about the action.
func (w *watched) follow(op *longrunningpb.Operation) bool {
	var about repb.ExecuteOperationMetadata
	if op.Metadata == nil || op.Metadata.UnmarshalTo(&about) != nil {
		return true
	}
	if about.ActionDigest != nil && fromProto(about.ActionDigest) != w.action {
		return false
	}
	if about.Stage == repb.ExecutionStage_EXECUTING && w.stage != about.Stage {
		w.since = time.Now()
	}
	w.stage = about.Stage
	return true
}

// measure adds a missing duration by the local clock, perhaps with the time in the queue.
func (w *watched) measure(response *repb.ExecuteResponse) {
	result := response.GetResult()
	if result == nil || response.CachedResult || elapsed(result.ExecutionMetadata) > 0 {
		return
	}
	if result.ExecutionMetadata == nil {
		result.ExecutionMetadata = &repb.ExecutedActionMetadata{}
	}
	result.ExecutionMetadata.ExecutionStartTimestamp = timestamppb.New(w.since)
	result.ExecutionMetadata.ExecutionCompletedTimestamp = timestamppb.Now()
}

func ended(op *longrunningpb.Operation) (*repb.ExecuteResponse, error) {
	if e := op.GetError(); e != nil {
		return nil, status.FromProto(e).Err()
	}
	response := &repb.ExecuteResponse{}
	if op.GetResponse() == nil {
		return nil, status.Error(codes.Unknown, "an operation was done without an answer")
	}
	if err := op.GetResponse().UnmarshalTo(response); err != nil {
		return nil, status.Error(codes.Unknown, "an operation was done with an answer that cannot be read: "+err.Error())
	}
	return response, nil
}

// nameLimit bounds the wait for the name of a cancelled operation.
const nameLimit = 2 * time.Second

// leave cancels an operation, which would survive its stream.
func (w *watched) leave(closeStream func()) {
	if w.left.Store(true); w.named() != "" {
		closeStream()
	} else {
		time.AfterFunc(nameLimit, closeStream)
	}
}

const cancels = 3 // attempts

// cancelOperation may fail, which is harmless.
func (c *Cluster) cancelOperation(name string) {
	ctx, cancel := context.WithTimeout(c.wire.context(c.ctx), nameLimit)
	defer cancel()
	for n := 1; n <= cancels; n++ {
		_, err := longrunningpb.NewOperationsClient(c.wire.calls()).CancelOperation(ctx,
			&longrunningpb.CancelOperationRequest{Name: name})
		switch status.Code(err) {
		case codes.OK:
			c.counters.cancelled.Add(1)
			return
		case codes.Internal, codes.Aborted, codes.Unknown, codes.ResourceExhausted: // a locked database
			time.Sleep(c.pause(n))
		default:
			return
		}
	}
}

// After tries failed lookups in a row, only every tries-th question is looked up. The server looks, too, but after the
// upload.
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
