package remotetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

func TestClusterServers(t *testing.T) {
	for _, kind := range Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			s := Start(t, kind)
			if out, err := run(t, s.Address, "echo hello; exit 0", ""); err != nil || out != "hello\n" {
				t.Errorf("%q %v", out, err)
			}
			ended := make(chan error)
			go func() {
				_, err := run(t, s.Address, "sleep 1234567.8", "")
				ended <- err
			}()
			for running(t, "sleep 1234567.8") == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			s.Kill()
			if err := <-ended; status.Code(err) != codes.Unavailable {
				t.Errorf("an action of a server that was killed: %v", err)
			}
			if left := len(s.processes()) + running(t, "sleep 1234567.8"); left > 0 {
				t.Errorf("%d processes are still alive", left)
			}
			if c, err := net.Dial("tcp", s.Address); err == nil {
				c.Close()
				t.Error("it serves after its death")
			}
			if err := s.Restart(); err != nil {
				t.Error(err)
			}
		})
	}
}

func running(t *testing.T, command string) (n int) {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes {
		pid, _ := strconv.Atoi(filepath.Base(p))
		if strings.Contains(commandLine(pid), command) {
			n++
		}
	}
	return n
}

func TestClusterPoison(t *testing.T) {
	for _, kind := range Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			s := Start(t, kind)
			var action *repb.Digest
			p := NewProxy(t, s.Address, nil)
			p.Seen = func(method string, message []byte) {
				if a, ok := Asked(method, message); ok {
					action = a
				}
			}
			if out, err := run(t, p.Address, "echo true", ""); err != nil || out != "true\n" {
				t.Fatalf("%q %v", out, err)
			}
			o, close, err := OutcomesOf(s.Address)
			if err != nil {
				t.Fatal(err)
			}
			defer close()
			if out, err := o.Stdout(t.Context(), action); err != nil || out != "true\n" {
				t.Errorf("%q %v", out, err)
			}
			if err := o.Poison(t.Context(), action, "false\n"); status.Code(err) == codes.Unimplemented {
				t.Skip("this server lets nobody write")
			} else if err != nil {
				t.Fatal(err)
			}
			if out, err := run(t, p.Address, "echo true", ""); err != nil || out != "false\n" {
				t.Errorf("%q %v", out, err)
			}
		})
	}
}

func TestClusterProxy(t *testing.T) {
	s := Start(t, Justbuild)
	p := NewProxy(t, s.Address, nil)
	var fault atomic.Pointer[Fault]
	fault.Store(&Fault{})
	p.Plan = func(method string) Fault {
		if strings.HasSuffix(method, "/Execute") {
			return *fault.Load()
		}
		return Fault{}
	}
	for _, c := range []struct {
		fault Fault
		code  codes.Code
	}{
		{Fault{}, codes.OK},
		{Fault{Refuse: codes.ResourceExhausted}, codes.ResourceExhausted},
		{Fault{Lose: true}, codes.Unavailable},
		{Fault{Cut: true}, codes.Unavailable},
		{Fault{Twice: true, Delay: time.Millisecond}, codes.OK},
		{Fault{Swap: true}, codes.OK},
	} {
		fault.Store(&c.fault)
		out, err := run(t, p.Address, "sleep 0.1; echo proxy", "")
		if status.Code(err) != c.code || err == nil && out != "proxy\n" {
			t.Errorf("%+v: %q %v", c.fault, out, err)
		}
	}
	fault.Store(&Fault{})
	time.AfterFunc(300*time.Millisecond, func() { p.Break() })
	if _, err := run(t, p.Address, "sleep 10", "broken"); status.Code(err) != codes.Unavailable {
		t.Errorf("a broken connection: %v", err)
	}
	p.Close()
	if c, err := net.Dial("tcp", p.Address); err == nil {
		c.Close()
		t.Error("it listens after its end")
	}
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, p.Address, "echo again", ""); err != nil || out != "again\n" {
		t.Errorf("%q %v", out, err)
	}
}

func run(t *testing.T, address, script, salt string) (stdout string, err error) {
	connection, err := dial(address)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	store := repb.NewContentAddressableStorageClient(connection)
	var blobs []*repb.BatchUpdateBlobsRequest_Request
	blob := func(m proto.Message) *repb.Digest {
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Error(err)
		}
		sum := sha256.Sum256(data)
		digest := &repb.Digest{Hash: hex.EncodeToString(sum[:]), SizeBytes: int64(len(data))}
		blobs = append(blobs, &repb.BatchUpdateBlobsRequest_Request{Digest: digest, Data: data})
		return digest
	}
	action := blob(&repb.Action{
		CommandDigest:   blob(&repb.Command{Arguments: []string{"/bin/sh", "-c", script}}),
		InputRootDigest: blob(&repb.Directory{}),
		Salt:            []byte(salt),
	})
	if _, err := store.BatchUpdateBlobs(t.Context(), &repb.BatchUpdateBlobsRequest{Requests: blobs}); err != nil {
		return "", err
	}
	stream, err := repb.NewExecutionClient(connection).Execute(t.Context(), &repb.ExecuteRequest{ActionDigest: action})
	if err != nil {
		return "", err
	}
	for {
		operation, err := stream.Recv()
		if err == io.EOF {
			return stdout, nil
		} else if err != nil {
			return stdout, err
		}
		var response repb.ExecuteResponse
		if !operation.Done || operation.GetResponse().UnmarshalTo(&response) != nil {
			continue
		}
		if err := status.ErrorProto(response.Status); err != nil {
			return "", err
		}
		o := &Outcomes{store: store}
		if stdout, err = o.stdout(context.Background(), response.Result); err != nil {
			return "", err
		}
	}
}
