package fake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

type execution struct {
	*Server
	repb.UnimplementedExecutionServer
}

type operation struct {
	name   string
	action *repb.Digest
	cancel context.CancelFunc
	done   chan struct{}
	answer *repb.ExecuteResponse // once it is done
}

func (e *execution) Execute(r *repb.ExecuteRequest, to repb.Execution_ExecuteServer) error {
	ctx, cancel := context.WithCancel(e.ctx)
	op := &operation{action: r.ActionDigest, cancel: cancel, done: make(chan struct{})}
	e.mu.Lock()
	op.name = fmt.Sprintf("operations/%d-%d", e.forgotten, len(e.operations)+1)
	e.operations[op.name] = op
	e.mu.Unlock()
	e.running.Go(func() {
		defer cancel()
		op.answer = e.answer(ctx, r)
		close(op.done)
	})
	return e.follow(to.Context(), op, to.Send)
}

func (e *execution) WaitExecution(r *repb.WaitExecutionRequest, to repb.Execution_WaitExecutionServer) error {
	e.mu.Lock()
	op := e.operations[r.Name]
	e.mu.Unlock()
	if op == nil {
		return grpcstatus.Error(codes.NotFound, "no such operation")
	}
	return e.follow(to.Context(), op, to.Send)
}

// ForgetOperations simulates a restart of the server.
func (s *Server) ForgetOperations() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, op := range s.operations {
		op.cancel()
	}
	clear(s.operations)
	s.forgotten++
}

func (s *Server) follow(ctx context.Context, op *operation, send func(*longrunningpb.Operation) error) error {
	wait := func() *longrunningpb.Operation {
		select {
		case <-op.done:
			return op.message(op.answer)
		case <-ctx.Done():
			return nil
		}
	}
	if deliver := s.hook().Deliver; deliver != nil {
		return deliver(send, op.message(nil), wait)
	}
	if err := send(op.message(nil)); err != nil {
		return err
	}
	if last := wait(); last != nil {
		return send(last)
	}
	return ctx.Err()
}

func (op *operation) message(answer *repb.ExecuteResponse) *longrunningpb.Operation {
	stage := repb.ExecutionStage_EXECUTING
	if answer != nil {
		stage = repb.ExecutionStage_COMPLETED
	}
	about, _ := anypb.New(&repb.ExecuteOperationMetadata{Stage: stage, ActionDigest: op.action})
	m := &longrunningpb.Operation{Name: op.name, Metadata: about, Done: answer != nil}
	if answer != nil {
		response, _ := anypb.New(answer)
		m.Result = &longrunningpb.Operation_Response{Response: response}
	}
	return m
}

type operations struct {
	*Server
	longrunningpb.UnimplementedOperationsServer
}

func (o *operations) CancelOperation(_ context.Context, r *longrunningpb.CancelOperationRequest,
) (*emptypb.Empty, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if op := o.operations[r.Name]; op != nil {
		op.cancel()
		return &emptypb.Empty{}, nil
	}
	return nil, grpcstatus.Error(codes.NotFound, "no such operation")
}

func failed(code codes.Code, text string) *repb.ExecuteResponse {
	return &repb.ExecuteResponse{
		Result: &repb.ActionResult{}, Status: &status.Status{Code: int32(code), Message: text},
	}
}

func (e *execution) answer(ctx context.Context, r *repb.ExecuteRequest) *repb.ExecuteResponse {
	if !r.SkipCacheLookup || e.options.CachesEverything {
		if result := e.cached(r.ActionDigest); result != nil {
			return &repb.ExecuteResponse{Result: result, CachedResult: true, Status: &status.Status{}}
		}
	}
	action, command := &repb.Action{}, &repb.Command{}
	if err := e.message(r.ActionDigest, action); err != nil {
		return failed(codes.FailedPrecondition, err.Error())
	}
	if err := e.message(action.CommandDigest, command); err != nil {
		return failed(codes.FailedPrecondition, err.Error())
	}
	hooks := e.hook()
	var answer *repb.ExecuteResponse
	if hooks.Execute != nil {
		answer = hooks.Execute(ctx, action, command)
	}
	if answer == nil {
		answer = e.work(ctx, action, command)
	}
	if hooks.Result != nil {
		hooks.Result(action, answer)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.executed++
	if answer.GetStatus().GetCode() == 0 && (!action.DoNotCache || e.options.CachesEverything) &&
		(answer.Result.ExitCode == 0 || e.options.CachesFailures) {
		e.cache[r.ActionDigest.Hash] = proto.CloneOf(answer.Result)
	}
	return answer
}

func (s *Server) message(d *repb.Digest, m proto.Message) error {
	data, is := s.Get(d)
	if !is {
		return fmt.Errorf("missing blob %s", d.GetHash())
	}
	return proto.Unmarshal(data, m)
}

func (s *Server) work(ctx context.Context, action *repb.Action, command *repb.Command) *repb.ExecuteResponse {
	dir, err := os.MkdirTemp(s.directory(), "action")
	if err != nil {
		return failed(codes.Internal, err.Error())
	}
	defer func() {
		exec.Command("chmod", "-R", "u+w", dir).Run()
		os.RemoveAll(dir)
	}()
	if err := s.lay(dir, action.InputRootDigest); err != nil {
		return failed(codes.FailedPrecondition, err.Error())
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if action.Timeout != nil {
		limited, cancel = context.WithTimeout(ctx, action.Timeout.AsDuration())
	}
	defer cancel()
	var stdout, stderr bytes.Buffer
	run := exec.CommandContext(limited, command.Arguments[0], command.Arguments[1:]...)
	run.Dir, run.Env = filepath.Join(dir, command.WorkingDirectory), []string{}
	for _, v := range command.EnvironmentVariables {
		run.Env = append(run.Env, v.Name+"="+v.Value)
	}
	run.Stdout, run.Stderr, run.WaitDelay = &stdout, &stderr, time.Second
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGKILL) }
	began := time.Now()
	err = run.Run()
	ended := time.Now()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return failed(codes.Canceled, "cancelled")
	case limited.Err() != nil:
		return failed(codes.DeadlineExceeded, "the action took too long")
	case err != nil && !errors.As(err, &exit):
		return failed(codes.InvalidArgument, err.Error())
	}
	result := &repb.ActionResult{ExitCode: int32(run.ProcessState.ExitCode()), ExecutionMetadata: s.metadata(began, ended)}
	if s.options.Inline {
		result.StdoutRaw, result.StderrRaw = stdout.Bytes(), stderr.Bytes()
	} else {
		result.StdoutDigest, result.StderrDigest = s.Put(stdout.Bytes()), s.Put(stderr.Bytes())
	}
	//lint:ignore SA1019 Clients of older servers have it.
	for _, name := range append(command.OutputPaths, command.OutputFiles...) {
		if data, err := os.ReadFile(filepath.Join(run.Dir, name)); err == nil {
			result.OutputFiles = append(result.OutputFiles, &repb.OutputFile{Path: name, Digest: s.Put(data)})
		}
	}
	return &repb.ExecuteResponse{Result: result, Status: &status.Status{}}
}

func (s *Server) metadata(began, ended time.Time) *repb.ExecutedActionMetadata {
	worker := s.options.Worker
	if worker == "" {
		worker = "fake"
	}
	return &repb.ExecutedActionMetadata{
		Worker: worker, QueuedTimestamp: timestamppb.New(began),
		ExecutionStartTimestamp: timestamppb.New(began), ExecutionCompletedTimestamp: timestamppb.New(ended),
	}
}

func (s *Server) lay(dir string, root *repb.Digest) error {
	var d repb.Directory
	if err := s.message(root, &d); err != nil {
		return err
	}
	for _, f := range d.Files {
		data, is := s.Get(f.Digest)
		if !is {
			return fmt.Errorf("missing blob %s of %s", f.Digest.GetHash(), f.Name)
		}
		mode := os.FileMode(0o444)
		if f.IsExecutable {
			mode = 0o555
		}
		syscall.ForkLock.RLock()
		err := os.WriteFile(filepath.Join(dir, f.Name), data, mode)
		syscall.ForkLock.RUnlock()
		if err != nil {
			return err
		}
	}
	for _, sub := range d.Directories {
		if err := os.Mkdir(filepath.Join(dir, sub.Name), 0o755); err != nil {
			return err
		}
		if err := s.lay(filepath.Join(dir, sub.Name), sub.Digest); err != nil {
			return err
		}
	}
	for _, l := range d.Symlinks {
		if err := os.Symlink(l.Target, filepath.Join(dir, l.Name)); err != nil {
			return err
		}
	}
	return nil
}
