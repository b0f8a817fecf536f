// Package fake is a server of Bazel's Remote Execution API for tests. It keeps files and outcomes in memory, executes
// actions without a sandbox, and fails as a test asks.
package fake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"hash"
	"net"
	"os"
	"slices"
	"strings"
	"sync"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/bazelbuild/remote-apis/build/bazel/semver"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
)

// Options configure a server. The zero value is a fault-free one.
type Options struct {
	Listen  string // "unix:PATH" or "HOST:PORT"; "" means a free local port
	Dir     string // existing directory for actions; "" means the one for temporary files
	TLS     *tls.Config
	Digests []repb.DigestFunction_Value // the first is used; nil means SHA-256
	Hash    func() hash.Hash            // the function; nil means SHA-256
	Batch   int64                       // maximal size of a message in bytes; 0 means 4 MiB
	Silent  bool                        // do not report Batch
	Worker  string                      // "" means "fake"
	Inline  bool                        // send the output of an action with its result
	Discard int                         // forget files of more bytes at once; 0 means never

	CachesFailures   bool // the action cache also keeps failures
	CachesEverything bool // ignore DoNotCache and SkipCacheLookup
	CacheOnly        bool // do not execute actions
	Writable         bool // clients may write to the action cache
}

// Hooks cause faults. Each may be nil, and may be called from several goroutines at once.
type Hooks struct {
	// Call is called with the full name and first message of each call. It may wait. Its error is the answer.
	Call func(ctx context.Context, method string, message proto.Message) error
	// Execute, if it does not return nil, replaces the worker.
	Execute func(ctx context.Context, action *repb.Action, command *repb.Command) *repb.ExecuteResponse
	// Result may change the worker's answer, before the action cache stores it.
	Result func(action *repb.Action, response *repb.ExecuteResponse)
	// Deliver sends the messages of an operation to a stream, or others. Its error cuts the
	// stream. wait waits for the end of the operation.
	Deliver func(send func(*longrunningpb.Operation) error, first *longrunningpb.Operation,
		wait func() *longrunningpb.Operation) error
}

type Server struct {
	options  Options
	server   *grpc.Server
	listener net.Listener
	target   string
	stop     context.CancelFunc
	ctx      context.Context
	running  sync.WaitGroup

	mu         sync.Mutex
	hooks      Hooks
	blobs      map[string][]byte // by hash
	cache      map[string]*repb.ActionResult
	operations map[string]*operation
	calls      map[string]int
	executed   int
	forgotten  int // number of ForgetOperations calls
}

// streams is the number of concurrent calls of a connection, as in most servers.
const streams = 100

// Start starts a server, which must be closed.
func Start(o Options, h Hooks) (*Server, error) {
	network, address := "tcp", cmp.Or(o.Listen, "127.0.0.1:0")
	if path, is := strings.CutPrefix(address, "unix:"); is {
		network, address = "unix", path
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o, listener: listener, hooks: h, blobs: map[string][]byte{}, cache: map[string]*repb.ActionResult{},
		operations: map[string]*operation{}, calls: map[string]int{},
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.target = "grpc://" + listener.Addr().String()
	who := insecure.NewCredentials()
	if o.TLS != nil {
		s.target, who = "grpcs://"+listener.Addr().String(), credentials.NewTLS(o.TLS)
	}
	if network == "unix" {
		s.target = "unix:" + address
	}
	if s.options.Hash == nil {
		s.options.Hash = sha256.New
	}
	s.server = grpc.NewServer(grpc.Creds(who), grpc.UnaryInterceptor(s.unary), grpc.StreamInterceptor(s.stream),
		grpc.MaxRecvMsgSize(int(cmp.Or(o.Batch, 4<<20))), grpc.MaxConcurrentStreams(streams))
	repb.RegisterCapabilitiesServer(s.server, s)
	repb.RegisterContentAddressableStorageServer(s.server, &storage{Server: s})
	repb.RegisterActionCacheServer(s.server, &actionCache{Server: s})
	repb.RegisterExecutionServer(s.server, &execution{Server: s})
	bytestream.RegisterByteStreamServer(s.server, &stream{Server: s})
	longrunningpb.RegisterOperationsServer(s.server, &operations{Server: s})
	go s.server.Serve(listener)
	return s, nil
}

// Target returns the address of the server, as an option of whittle.
func (s *Server) Target() string { return s.target }

// Close ends the server and its executions at once.
func (s *Server) Close() {
	s.stop()
	s.server.Stop()
	s.running.Wait()
}

// Hook replaces the hooks.
func (s *Server) Hook(h Hooks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks = h
}

func (s *Server) hook() Hooks {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hooks
}

// Executed returns the number of executed actions.
func (s *Server) Executed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.executed
}

// Calls counts the calls of a method, as "Execute".
func (s *Server) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// Lose deletes all files.
func (s *Server) Lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.blobs)
}

// Forget deletes all outcomes.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.cache)
}

// Poison changes all outcomes in the cache.
func (s *Server) Poison(change func(*repb.ActionResult)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.cache {
		change(r)
	}
}

// Put stores a file and returns its digest.
func (s *Server) Put(data []byte) *repb.Digest {
	d := s.digest(data)
	if s.options.Discard > 0 && len(data) > s.options.Discard {
		return d
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[d.Hash] = slices.Clone(data)
	return d
}

// Get returns a file.
func (s *Server) Get(d *repb.Digest) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.GetSizeBytes() == 0 {
		return nil, true
	}
	data, is := s.blobs[d.GetHash()]
	return data, is
}

func (s *Server) digest(data []byte) *repb.Digest {
	h := s.options.Hash()
	h.Write(data)
	return &repb.Digest{Hash: hex.EncodeToString(h.Sum(nil)), SizeBytes: int64(len(data))}
}

func (s *Server) called(ctx context.Context, method string, message proto.Message) error {
	s.mu.Lock()
	s.calls[method[strings.LastIndexByte(method, '/')+1:]]++
	call := s.hooks.Call
	s.mu.Unlock()
	if call == nil {
		return nil
	}
	return call(ctx, method, message)
}

func (s *Server) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (any, error) {
	if err := s.called(ctx, info.FullMethod, request.(proto.Message)); err != nil {
		return nil, err
	}
	return next(ctx, request)
}

type heard struct {
	grpc.ServerStream
	server *Server
	method string
	once   bool
}

func (h *heard) RecvMsg(m any) error {
	if err := h.ServerStream.RecvMsg(m); err != nil || h.once {
		return err
	}
	h.once = true
	return h.server.called(h.Context(), h.method, m.(proto.Message))
}

func (s *Server) stream(server any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	return next(server, &heard{ServerStream: ss, server: s, method: info.FullMethod})
}

func (s *Server) GetCapabilities(context.Context, *repb.GetCapabilitiesRequest) (*repb.ServerCapabilities, error) {
	functions := s.options.Digests
	if functions == nil {
		functions = []repb.DigestFunction_Value{repb.DigestFunction_SHA256}
	}
	batch := s.options.Batch
	if s.options.Silent {
		batch = 0
	}
	return &repb.ServerCapabilities{
		CacheCapabilities: &repb.CacheCapabilities{
			DigestFunctions: functions, MaxBatchTotalSizeBytes: batch,
			ActionCacheUpdateCapabilities: &repb.ActionCacheUpdateCapabilities{UpdateEnabled: s.options.Writable},
		},
		ExecutionCapabilities: &repb.ExecutionCapabilities{
			DigestFunction: functions[0], DigestFunctions: functions, ExecEnabled: !s.options.CacheOnly,
		},
		LowApiVersion: &semver.SemVer{Major: 2}, HighApiVersion: &semver.SemVer{Major: 2, Minor: 3},
	}, nil
}

func (s *Server) directory() string { return cmp.Or(s.options.Dir, os.TempDir()) }
